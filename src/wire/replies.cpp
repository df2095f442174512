// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/replies.hpp"

#include <string>

#include "sweetspot/wire/interface_text.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "wire/field_writer.hpp"
#include "wire/json_text.hpp"

namespace sweetspot {
namespace {

std::string as_message(JsonWriter& out) {
  std::string text = out.take();
  text += '\0';
  return text;
}

/// A reply whose parameters are one struct.
std::string reply_with(const auto& parameters) {
  JsonWriter out;
  out.begin_object();
  FieldWriter{out}("parameters", parameters);
  out.end_object();
  return as_message(out);
}

/// A reply whose parameters are one named value.
std::string reply_naming(const char* name, const auto& value) {
  JsonWriter out;
  out.begin_object();
  out.key("parameters");
  out.begin_object();
  FieldWriter{out}(name, value);
  out.end_object();
  out.end_object();
  return as_message(out);
}

std::string error_with(std::string_view interface, std::string_view name, const auto& parameters) {
  JsonWriter out;
  out.begin_object();
  out.key("error");
  out.text(std::string(interface) + "." + std::string(name));
  FieldWriter{out}("parameters", parameters);
  out.end_object();
  return as_message(out);
}

struct GovernorErrorName {
  std::string_view operator()(const NoSuchJob&) const { return "NoSuchJob"; }
  std::string_view operator()(const NotYourJob&) const { return "NotYourJob"; }
  std::string_view operator()(const TooManyJobs&) const { return "TooManyJobs"; }
  std::string_view operator()(const InvalidSpec&) const { return "InvalidSpec"; }
  std::string_view operator()(const ClockUnavailable&) const { return "ClockUnavailable"; }
  std::string_view operator()(const Busy&) const { return "Busy"; }
};

struct CallProblemReply {
  std::string operator()(const NotVarlink&) const { return {}; }
  std::string operator()(const InvalidParameter& error) const {
    return error_with(service_interface, "InvalidParameter", error);
  }
  std::string operator()(const InterfaceNotFound& error) const {
    return error_with(service_interface, "InterfaceNotFound", error);
  }
  std::string operator()(const MethodNotFound& error) const {
    return error_with(service_interface, "MethodNotFound", error);
  }
  std::string operator()(const MethodNotImplemented& error) const {
    return error_with(service_interface, "MethodNotImplemented", error);
  }
  std::string operator()(const ExpectedMore& error) const {
    return error_with(service_interface, "ExpectedMore", error);
  }
};

}  // namespace

std::string start_job_reply(const StartReply& reply) {
  return reply_with(reply);
}

std::string end_job_reply(const EnergyRecord& record) {
  return reply_naming("record", record);
}

std::string explain_reply(const Decision& decision) {
  return reply_naming("decision", decision);
}

std::string status_reply(const StatusReport& report) {
  std::string text = "{\"parameters\":" + status_to_json(report) + "}";
  text += '\0';
  return text;
}

std::string watch_event_reply(const WatchEvent& event) {
  std::string text = "{\"parameters\":" + watch_event_to_json(event) + ",\"continues\":true}";
  text += '\0';
  return text;
}

std::string empty_reply() {
  std::string text = "{\"parameters\":{}}";
  text += '\0';
  return text;
}

std::string info_reply(const ServiceDescription& info) {
  JsonWriter out;
  out.begin_object();
  out.key("parameters");
  out.begin_object();
  const FieldWriter field{out};
  field("vendor", info.vendor);
  field("product", info.product);
  field("version", info.version);
  field("url", info.url);
  field("interfaces", std::vector<std::string>{std::string(service_interface), std::string(governor_interface)});
  out.end_object();
  out.end_object();
  return as_message(out);
}

std::string interface_description_reply(std::string_view interface) {
  if (interface == governor_interface) return reply_naming("description", governor_interface_text());
  if (interface == service_interface) return reply_naming("description", service_interface_text());
  return CallProblemReply{}(InterfaceNotFound{clipped(interface, longest_name)});
}

std::string error_reply(const GovernorError& error) {
  const std::string_view name = std::visit(GovernorErrorName{}, error);
  return std::visit([name](const auto& what) { return error_with(governor_interface, name, what); }, error);
}

std::string error_reply(const CallProblem& problem) {
  return std::visit(CallProblemReply{}, problem.what);
}

}  // namespace sweetspot
