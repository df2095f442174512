// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "places.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/interface_text.hpp"
#include "sweetspot/wire/replies.hpp"
#include "wire/interface_description.hpp"
#include "wire/read_file.hpp"
#include "wire/samples.hpp"

namespace sweetspot {
namespace {

const InterfaceDescription& governor() {
  static const auto description = InterfaceDescription::parse(governor_interface_text());
  return description;
}
const InterfaceDescription& service() {
  static const auto description = InterfaceDescription::parse(service_interface_text());
  return description;
}

nlohmann::json json_of(std::string message) {
  EXPECT_FALSE(message.empty());
  EXPECT_EQ(message.back(), '\0');
  message.pop_back();
  return nlohmann::json::parse(message);
}

std::string call_of(const InterfaceDescription& interface, const std::string& method,
                    const nlohmann::json& parameters) {
  return nlohmann::json{{"method", interface.name + "." + method}, {"parameters", parameters}, {"more", true}}.dump();
}

/// A reply and the method it belongs to agree.
void expect_reply(const InterfaceDescription& interface, const std::string& method, const std::string& message) {
  const nlohmann::json reply = json_of(message);
  EXPECT_FALSE(reply.contains("error")) << reply;
  EXPECT_EQ(interface.problem_in(reply["parameters"], interface.methods.at(method).output, method), "");
}

TEST(Interface, TheProgramServesExactlyTheInstalledFile) {
  EXPECT_EQ(governor_interface_text(), read_file(SWEETSPOT_SOURCE_DIR "/config/io.sweetspotd.Governor.varlink"));
  EXPECT_EQ(governor().name, governor_interface);
  EXPECT_EQ(service().name, service_interface);
}

TEST(Interface, EveryTypeNamedExists) {
  const auto check = [](const InterfaceDescription& interface, const IdlStruct& fields) {
    EXPECT_NO_THROW((void)interface.example(fields)) << interface.name;
  };
  for (const InterfaceDescription* interface : {&governor(), &service()}) {
    for (const auto& [name, fields] : interface->types) check(*interface, fields);
    for (const auto& [name, fields] : interface->errors) check(*interface, fields);
    for (const auto& [name, method] : interface->methods) {
      check(*interface, method.input);
      check(*interface, method.output);
    }
  }
}

TEST(Interface, TheCodeHasExactlyTheMethodsDescribed) {
  EXPECT_EQ(std::variant_size_v<decltype(Call::what)>, governor().methods.size() + service().methods.size());
  std::set<std::size_t> kinds;
  for (const InterfaceDescription* interface : {&governor(), &service()}) {
    for (const auto& [name, method] : interface->methods) {
      const auto call = parse_call(call_of(*interface, name, interface->example(method.input)));
      ASSERT_TRUE(call) << name;
      kinds.insert(call->what.index());
    }
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<decltype(Call::what)>);
}

/// Every field of a struct, with its place, in objects within the struct too.
void for_each_field(const InterfaceDescription& interface, const IdlStruct& fields,
                    const nlohmann::json::json_pointer& at,
                    const std::function<void(const IdlField&, const nlohmann::json::json_pointer&)>& visit) {
  for (const IdlField& field : fields) {
    visit(field, at / field.name);
    if (interface.types.contains(field.type.name) && field.type.container == IdlType::Container::none)
      for_each_field(interface, interface.types.at(field.type.name), at / field.name, visit);
  }
}

TEST(Interface, EveryParameterIsAcceptedOrRequiredAsDescribed) {
  for (const InterfaceDescription* interface : {&governor(), &service()}) {
    for (const auto& entry : interface->methods) {
      const std::string& name = entry.first;
      const nlohmann::json good = interface->example(entry.second.input);
      const auto accepted = [&](const nlohmann::json& parameters) {
        return parse_call(call_of(*interface, name, parameters)).has_value();
      };
      for_each_field(
          *interface, entry.second.input, nlohmann::json::json_pointer(), [&](const IdlField& field, const auto& at) {
            nlohmann::json changed = good;
            changed[at.parent_pointer()].erase(field.name);
            EXPECT_EQ(accepted(changed), field.type.optional) << name << at << " left out";
            changed[at] = nullptr;
            EXPECT_EQ(accepted(changed), field.type.optional) << name << at << " null";
            for (const nlohmann::json& wrong :
                 {nlohmann::json(true), nlohmann::json("text"), nlohmann::json(7.5), nlohmann::json(7),
                  nlohmann::json::array({7}), nlohmann::json{{"key", 7}}}) {
              changed[at] = wrong;
              const bool number_for_number =
                  field.type.name == "float" && field.type.container == IdlType::Container::none && wrong.is_number();
              EXPECT_EQ(accepted(changed),
                        number_for_number || interface->problem_in(changed, entry.second.input, name).empty())
                  << name << at << " = " << wrong;
            }
          });
      nlohmann::json more = good;
      more["unknown"] = 7;
      EXPECT_FALSE(accepted(more)) << name;
    }
  }
}

TEST(Interface, RepliesAreAsDescribed) {
  for (std::uint64_t seed = 0; seed <= 100; ++seed) {
    Samples samples(seed);
    expect_reply(governor(), "StartJob",
                 start_job_reply({samples.whole(1, 9), samples.decision(),
                                  samples.maybe([&] { return samples.clock(); }), samples.text()}));
    expect_reply(governor(), "EndJob", end_job_reply(samples.record()));
    expect_reply(governor(), "Explain", explain_reply(samples.decision()));
    expect_reply(governor(), "GetStatus", status_reply(samples.status()));
  }
  expect_reply(governor(), "EndJob", end_job_reply(full_record()));
  expect_reply(governor(), "EndJob", end_job_reply(EnergyRecord{}));
  expect_reply(governor(), "GetStatus", status_reply(full_status()));
  expect_reply(governor(), "GetStatus", status_reply(StatusReport{}));
  expect_reply(governor(), "ReportProgress", empty_reply());
  expect_reply(service(), "GetInfo", info_reply({"vendor", "product", "0.1.0", "https://example.org"}));
  expect_reply(service(), "GetInterfaceDescription", interface_description_reply(governor_interface));
  expect_reply(service(), "GetInterfaceDescription", interface_description_reply(service_interface));
}

TEST(Interface, ReplyFieldsAreAllThereEvenWhenNull) {
  const auto all_fields = [](const IdlStruct& fields, const nlohmann::json& object) {
    for (const IdlField& field : fields) EXPECT_TRUE(object.contains(field.name)) << field.name;
  };
  all_fields(governor().types.at("EnergyRecord"), json_of(end_job_reply(EnergyRecord{}))["parameters"]["record"]);
  all_fields(governor().types.at("Decision"), json_of(explain_reply(Decision{}))["parameters"]["decision"]);
  all_fields(governor().methods.at("GetStatus").output, json_of(status_reply(StatusReport{}))["parameters"]);
}

TEST(Interface, EveryKindOfEventIsAsDescribed) {
  const EnergyRecord record = full_record();
  const std::vector<WatchEvent> events{
      {seconds(1), WatchSample{{{"VDD_GPU_SOC", Watts{1}}, {"X", {}}}, 5.0, Hertz{6}}},
      {seconds(1), Event(JobStarted{7, "bert", record.decision, record.owner})},
      {seconds(1), Event(JobRedecided{7, record.decision})},
      {seconds(3), Event(JobMoved{7, record.decision, megahertz(714), {{megahertz(714), 9.5, 0.5, 0.01, 40}}})},
      {seconds(3), Event(JobMoved{7, record.decision, {}, {{{}, 9.5, 0.5, 0.01, 40}}})},
      {seconds(3), Event(JobMeasured{7, record.decision, {}})},
      {seconds(1), Event(JobEnded{record})},
      {seconds(1), Event(ClockPinned{megahertz(612)})},
      {seconds(1), Event(ClockLost{megahertz(612), "nvpmodel"})},
      {seconds(1), Event(ClockRestored{"as found"})},
      {seconds(1), Event(Throttled{"oc3"})},
      {seconds(1), Event(TroubleBegan{HealthReason::rival, "jtop"})},
      {seconds(1), Event(TroubleEnded{HealthReason::rival})}};
  std::set<std::string> kinds;
  for (const WatchEvent& event : events) {
    expect_reply(governor(), "Watch", watch_event_reply(event));
    kinds.insert(kind_of(event));
    EXPECT_NE(governor_interface_text().find(kind_of(event)), std::string_view::npos) << kind_of(event);
  }
  EXPECT_EQ(kinds.size(), 1 + std::variant_size_v<Event>);
}

template <class Error>
void expect_error(const InterfaceDescription& interface, const Error& error, std::set<std::string>& seen) {
  const nlohmann::json reply = json_of(error_reply(error));
  const std::string name = reply.at("error").template get<std::string>();
  ASSERT_TRUE(name.starts_with(interface.name + ".")) << name;
  const std::string symbol = name.substr(interface.name.size() + 1);
  ASSERT_TRUE(interface.errors.contains(symbol)) << name;
  EXPECT_EQ(interface.problem_in(reply["parameters"], interface.errors.at(symbol), symbol), "");
  seen.insert(symbol);
}

TEST(Interface, ErrorsAreAsDescribed) {
  std::set<std::string> seen;
  for (const GovernorError& error :
       std::vector<GovernorError>{NoSuchJob{7}, NotYourJob{7}, TooManyJobs{64, "uid 1000"},
                                  InvalidSpec{"layers", "more"}, ClockUnavailable{"no GPU"}, Busy{"restarting"}})
    expect_error(governor(), error, seen);
  EXPECT_EQ(seen.size(), governor().errors.size());
  seen.clear();
  for (const auto& what :
       std::vector<decltype(CallProblem::what)>{InvalidParameter{"a", "b"}, InterfaceNotFound{"a.b"},
                                                MethodNotFound{"a.b.C"}, MethodNotImplemented{"a.b.C"}, ExpectedMore{}})
    expect_error(service(), CallProblem{what, "", false}, seen);
  EXPECT_EQ(seen.size(), service().errors.size());
}

TEST(Interface, AnInterfaceThatIsNotThereIsAnError) {
  const nlohmann::json reply = json_of(interface_description_reply("io.example.Other"));
  EXPECT_EQ(reply["error"], "org.varlink.service.InterfaceNotFound");
  EXPECT_EQ(reply["parameters"]["interface"], "io.example.Other");
}

}  // namespace
}  // namespace sweetspot
