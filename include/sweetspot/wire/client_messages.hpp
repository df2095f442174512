// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/policy.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/replies.hpp"
#include "sweetspot/wire/status_report.hpp"
#include "sweetspot/wire/watch_event.hpp"

namespace sweetspot {

/// A call as a whole varlink message with its NUL.
[[nodiscard]] std::string call_text(const Call& call);

/// The daemon said no.
struct ReplyError {
  std::string name;        ///< for example "io.sweetspotd.Governor.NoSuchJob"
  std::string parameters;  ///< JSON object
  std::string sentence;    ///< for people: what is wrong and what was expected
};

struct Reply {
  std::string parameters = "{}";  ///< JSON object
  bool continues = false;
  std::optional<ReplyError> error;
};

/// Reads one reply message (without its NUL). Unknown keys are ignored, here and in all parsers below.
[[nodiscard]] Result<Reply> parse_reply(std::string_view message);

// What the methods answer, from Reply::parameters.
[[nodiscard]] Result<StartReply> parse_start_reply(std::string_view parameters);
[[nodiscard]] Result<EnergyRecord> parse_end_reply(std::string_view parameters);
[[nodiscard]] Result<Decision> parse_explain_reply(std::string_view parameters);
[[nodiscard]] Result<std::string> parse_interface_description(std::string_view parameters);
/// GetInfo's `version`.
[[nodiscard]] Result<std::string> parse_service_version(std::string_view parameters);

/// The fields of a `type` in a varlink interface description, in order; empty when there is no such type.
[[nodiscard]] std::vector<std::string> known_fields(std::string_view description, std::string_view type);

/// A spec without what the daemon does not know, so that an older daemon still takes it.
struct RestrictedSpec {
  JobSpec spec;
  std::vector<std::string> left_out;  ///< fields the caller had set
};
[[nodiscard]] RestrictedSpec restrict_to(const JobSpec& spec, std::span<const std::string> known);

}  // namespace sweetspot
