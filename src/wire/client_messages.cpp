// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/client_messages.hpp"

#include <algorithm>
#include <utility>

#include "sweetspot/wire/interface_text.hpp"
#include "wire/error_sentence.hpp"
#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"

namespace sweetspot {
namespace {

struct MethodName {
  std::string operator()(const GetInfo&) const { return of_service("GetInfo"); }
  std::string operator()(const GetInterfaceDescription&) const { return of_service("GetInterfaceDescription"); }
  std::string operator()(const StartJob&) const { return of_governor("StartJob"); }
  std::string operator()(const ReportProgress&) const { return of_governor("ReportProgress"); }
  std::string operator()(const EndJob&) const { return of_governor("EndJob"); }
  std::string operator()(const Explain&) const { return of_governor("Explain"); }
  std::string operator()(const GetStatus&) const { return of_governor("GetStatus"); }
  std::string operator()(const Watch&) const { return of_governor("Watch"); }

 private:
  static std::string of_service(const char* name) { return std::string(service_interface) + "." + name; }
  static std::string of_governor(const char* name) { return std::string(governor_interface) + "." + name; }
};

Result<std::string> text_field(std::string_view parameters, const char* name) {
  auto root = read_clean_json(parameters);
  if (!root) return failure(std::move(root.error()));
  if (!root->is_object() || !root->contains(name)) return failure(std::string(name) + ": is missing");
  std::string text;
  if (auto problem = read((*root)[name], Place{nullptr, name}, UnknownKeys::ignored, text))
    return failure(to_error(std::move(*problem)));
  return text;
}

template <class T>
Result<T> struct_field(std::string_view parameters, const char* name) {
  auto root = read_clean_json(parameters);
  if (!root) return failure(std::move(root.error()));
  if (!root->is_object() || !root->contains(name)) return failure(std::string(name) + ": is missing");
  T out{};
  if (auto problem = read((*root)[name], Place{nullptr, name}, UnknownKeys::ignored, out))
    return failure(to_error(std::move(*problem)));
  return out;
}

}  // namespace

std::string call_text(const Call& call) {
  JsonWriter out;
  out.begin_object();
  out.key("method");
  out.text(std::visit(MethodName{}, call.what));
  out.key("parameters");
  out.begin_object();
  std::visit([&out](const auto& what) { visit_fields(what, PresentFieldWriter{out}); }, call.what);
  out.end_object();
  if (call.more) FieldWriter{out}("more", true);
  if (call.oneway) FieldWriter{out}("oneway", true);
  out.end_object();
  std::string text = out.take();
  text += '\0';
  return text;
}

Result<Reply> parse_reply(std::string_view message) {
  auto root = read_clean_json(message);
  if (!root) return failure(std::move(root.error()).within("the daemon's reply"));
  if (!root->is_object()) return failure("the daemon's reply is not a JSON object");
  Reply reply;
  if (const auto found = root->find("parameters"); found != root->end() && !found->is_null()) {
    if (!found->is_object()) return failure("the daemon's reply: parameters: expected an object");
    reply.parameters = found->dump();
  }
  if (const auto found = root->find("continues"); found != root->end() && found->is_boolean()) reply.continues = *found;
  if (const auto found = root->find("error"); found != root->end() && !found->is_null()) {
    if (!found->is_string()) return failure("the daemon's reply: error: expected a text");
    const std::string name = found->get<std::string>();
    reply.error = ReplyError{name, reply.parameters, error_sentence(name, Json::parse(reply.parameters))};
  }
  return reply;
}

Result<StartReply> parse_start_reply(std::string_view parameters) {
  return read_struct<StartReply>(parameters, UnknownKeys::ignored);
}

Result<EnergyRecord> parse_end_reply(std::string_view parameters) {
  return struct_field<EnergyRecord>(parameters, "record");
}

Result<Decision> parse_explain_reply(std::string_view parameters) {
  return struct_field<Decision>(parameters, "decision");
}

Result<std::string> parse_interface_description(std::string_view parameters) {
  return text_field(parameters, "description");
}

Result<std::string> parse_service_version(std::string_view parameters) {
  return text_field(parameters, "version");
}

RestrictedSpec restrict_to(const JobSpec& spec, std::span<const std::string> known) {
  RestrictedSpec result{spec, {}};
  visit_fields(result.spec, [&](const char* name, auto& field) {
    const auto empty = std::remove_reference_t<decltype(field)>{};
    if (field == empty || std::find(known.begin(), known.end(), name) != known.end()) return;
    field = empty;
    result.left_out.emplace_back(name);
  });
  return result;
}

}  // namespace sweetspot
