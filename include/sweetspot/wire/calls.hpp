// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"

namespace sweetspot {

// The methods of org.varlink.service and io.sweetspotd.Governor with their parameters.
struct GetInfo {
  friend bool operator==(const GetInfo&, const GetInfo&) = default;
};
struct GetInterfaceDescription {
  std::string interface;
  friend bool operator==(const GetInterfaceDescription&, const GetInterfaceDescription&) = default;
};
struct StartJob {
  JobSpec spec;
  friend bool operator==(const StartJob&, const StartJob&) = default;
};
struct ReportProgress {
  JobId job_id = 0;
  std::int64_t steps = 0;  ///< in all since the job's start, never negative
  friend bool operator==(const ReportProgress&, const ReportProgress&) = default;
};
struct EndJob {
  JobId job_id = 0;
  friend bool operator==(const EndJob&, const EndJob&) = default;
};
struct Explain {
  JobSpec spec;
  friend bool operator==(const Explain&, const Explain&) = default;
};
struct GetStatus {
  friend bool operator==(const GetStatus&, const GetStatus&) = default;
};
struct Watch {
  std::optional<std::int64_t> period_ms;  ///< at least 1; the service rounds it to what it can do
  friend bool operator==(const Watch&, const Watch&) = default;
};

/// One call. `more`: the caller takes several replies; `oneway`: it takes none, not even an error.
struct Call {
  std::variant<GetInfo, GetInterfaceDescription, StartJob, ReportProgress, EndJob, Explain, GetStatus, Watch> what;
  bool more = false;
  bool oneway = false;
  friend bool operator==(const Call&, const Call&) = default;
};

// What can be wrong with a call before anybody looks at its meaning: the errors of org.varlink.service.

/// Not a varlink message at all (no JSON, no object, no method): there is nothing to answer, hang up.
struct NotVarlink {
  std::string why;
  friend bool operator==(const NotVarlink&, const NotVarlink&) = default;
};
struct InvalidParameter {
  std::string parameter;  ///< where it is, for example "spec.layers"
  std::string expected;   ///< in words; a second parameter of the error, which libraries that do not know it ignore
  friend bool operator==(const InvalidParameter&, const InvalidParameter&) = default;
};
struct InterfaceNotFound {
  std::string interface;
  friend bool operator==(const InterfaceNotFound&, const InterfaceNotFound&) = default;
};
struct MethodNotFound {
  std::string method;
  friend bool operator==(const MethodNotFound&, const MethodNotFound&) = default;
};
/// The call asks for what we do not do: `upgrade`.
struct MethodNotImplemented {
  std::string method;
  friend bool operator==(const MethodNotImplemented&, const MethodNotImplemented&) = default;
};
/// Watch was called without `more`.
struct ExpectedMore {
  friend bool operator==(const ExpectedMore&, const ExpectedMore&) = default;
};

struct CallProblem {
  std::variant<NotVarlink, InvalidParameter, InterfaceNotFound, MethodNotFound, MethodNotImplemented, ExpectedMore>
      what;
  std::string method;   ///< as far as known
  bool oneway = false;  ///< then no error is sent, only counted
};

/// Reads one message (without its NUL). Strict: unknown keys, duplicate keys, wrong types, a fraction or an exponent
/// where a whole number belongs, numbers out of range and more than 16 levels of nesting are refused; null stands for
/// an absent parameter. The spec's meaning is not checked: that is problem_in(spec).
[[nodiscard]] tl::expected<Call, CallProblem> parse_call(std::string_view message);

}  // namespace sweetspot
