// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/calls.hpp"

#include <array>
#include <utility>

#include "sweetspot/wire/interface_text.hpp"
#include "wire/field_reader.hpp"

namespace sweetspot {
namespace {

using Read = tl::expected<decltype(Call::what), JsonProblem>;

// What the type alone cannot say.
FieldProblem problem_in_call(const ReportProgress& call) {
  if (call.steps >= 0 && call.steps <= SpecLimits::steps) return std::nullopt;
  return JsonProblem{"steps", "expected a whole number from 0 to " + std::to_string(SpecLimits::steps) + ", not " +
                                  std::to_string(call.steps)};
}
FieldProblem problem_in_call(const Watch& call) {
  if (!call.period_ms || *call.period_ms >= 1) return std::nullopt;
  return JsonProblem{"period_ms", "expected 1 or more, not " + std::to_string(*call.period_ms)};
}
FieldProblem problem_in_call(const auto&) {
  return std::nullopt;
}

template <class Method>
Read read_call(const Json& parameters) {
  Method call;
  if (auto problem = read(parameters, Place{}, UnknownKeys::refused, call))
    return tl::make_unexpected(std::move(*problem));
  if (auto problem = problem_in_call(call)) return tl::make_unexpected(std::move(*problem));
  return Read(std::move(call));
}

struct MethodEntry {
  std::string_view interface;
  std::string_view name;
  Read (*read)(const Json& parameters);
};
constexpr std::array methods{
    MethodEntry{service_interface, "GetInfo", read_call<GetInfo>},
    MethodEntry{service_interface, "GetInterfaceDescription", read_call<GetInterfaceDescription>},
    MethodEntry{governor_interface, "StartJob", read_call<StartJob>},
    MethodEntry{governor_interface, "ReportProgress", read_call<ReportProgress>},
    MethodEntry{governor_interface, "EndJob", read_call<EndJob>},
    MethodEntry{governor_interface, "Explain", read_call<Explain>},
    MethodEntry{governor_interface, "GetStatus", read_call<GetStatus>},
    MethodEntry{governor_interface, "Watch", read_call<Watch>},
};

/// The envelope: what stands around the parameters.
struct Envelope {
  std::string method;
  bool more = false;
  bool oneway = false;
  bool upgrade = false;
};

FieldProblem read_flag(const Json& root, const char* name, bool& out) {
  const auto found = root.find(name);
  if (found == root.end() || found->is_null()) return std::nullopt;
  return read(*found, Place{nullptr, name}, UnknownKeys::refused, out);
}

FieldProblem read_envelope(const Json& root, Envelope& envelope) {
  if (auto problem = read_flag(root, "oneway", envelope.oneway)) return problem;
  if (auto problem = read_flag(root, "more", envelope.more)) return problem;
  if (auto problem = read_flag(root, "upgrade", envelope.upgrade)) return problem;
  for (const auto& [key, value] : root.get_ref<const Json::object_t&>()) {
    if (key != "method" && key != "parameters" && key != "more" && key != "oneway" && key != "upgrade")
      return JsonProblem{clipped(key), "is not known here; known: method, parameters, more, oneway, upgrade"};
  }
  return std::nullopt;
}

InvalidParameter invalid_parameter(JsonProblem problem) {
  constexpr std::string_view envelope_key = "parameters.";
  if (problem.place.starts_with(envelope_key)) problem.place.erase(0, envelope_key.size());
  return InvalidParameter{std::move(problem.place), std::move(problem.what)};
}

tl::unexpected<CallProblem> refuse(decltype(CallProblem::what) what, const Envelope& envelope) {
  return tl::make_unexpected(CallProblem{std::move(what), envelope.method, envelope.oneway});
}

const Json& parameters_of(const Json& root) {
  static const Json none = Json::object();
  const auto found = root.find("parameters");
  return found == root.end() || found->is_null() ? none : *found;
}

tl::expected<Call, CallProblem> dispatch(const Json& root, const Envelope& envelope) {
  const std::string_view method = envelope.method;
  const std::size_t dot = method.rfind('.');
  const std::string_view interface = method.substr(0, dot);
  const std::string_view name = dot == std::string_view::npos ? std::string_view{} : method.substr(dot + 1);
  bool interface_known = false;
  for (const MethodEntry& entry : methods) {
    if (entry.interface != interface) continue;
    interface_known = true;
    if (entry.name != name) continue;
    const Json& parameters = parameters_of(root);
    if (!parameters.is_object())
      return refuse(invalid_parameter(unexpected_value(Place{nullptr, "parameters"}, "an object", parameters)),
                    envelope);
    Read call = entry.read(parameters);
    if (!call) return refuse(invalid_parameter(std::move(call.error())), envelope);
    if (std::holds_alternative<Watch>(*call) && !envelope.more) return refuse(ExpectedMore{}, envelope);
    return Call{std::move(*call), envelope.more, envelope.oneway};
  }
  if (interface_known) return refuse(MethodNotFound{clipped(method, longest_name)}, envelope);
  return refuse(InterfaceNotFound{clipped(interface, longest_name)}, envelope);
}

}  // namespace

tl::expected<Call, CallProblem> parse_call(std::string_view message) {
  Envelope envelope;
  auto text = read_json(message);
  if (!text) return refuse(NotVarlink{to_error(std::move(text.error())).message}, envelope);
  const Json& root = text->root;
  if (!root.is_object()) return refuse(NotVarlink{"not a JSON object"}, envelope);
  const auto method = root.find("method");
  if (method == root.end() || !method->is_string() || method->get_ref<const std::string&>().empty())
    return refuse(NotVarlink{"no method"}, envelope);
  envelope.method = method->get_ref<const std::string&>();
  auto envelope_problem = read_envelope(root, envelope);
  if (text->problem) return refuse(invalid_parameter(std::move(*text->problem)), envelope);
  if (envelope_problem) return refuse(invalid_parameter(std::move(*envelope_problem)), envelope);
  if (envelope.upgrade) return refuse(MethodNotImplemented{clipped(envelope.method, longest_name)}, envelope);
  return dispatch(root, envelope);
}

}  // namespace sweetspot
