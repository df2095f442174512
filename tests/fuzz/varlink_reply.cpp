// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "sweetspot/wire/replies.hpp"
#include "tests/fuzz/properties.hpp"

// One message from whoever listens on the daemon's socket: what a client reads in it and shows to people.
namespace sweetspot::fuzz {
namespace {

void check_shown(const std::string& text) {
  const std::string shown = printable(text);
  require(is_quiet(shown), "a terminal gets nothing that it would obey");
  require(is_utf8(shown) || !is_utf8(text), "what is shown stays UTF-8");
}

bool is_short(Duration duration) {
  constexpr Duration exact = std::chrono::hours(24 * 26);  // record_to_json's promise
  return duration > -exact && duration < exact;
}

void check_record(const EnergyRecord& record) {
  const std::string text = record_to_json(record);
  require(is_utf8(text), "a record is UTF-8");
  const auto again = record_from_json(text);
  require(again.has_value(), "a record that is written can be read");
  if (is_short(record.duration) && is_short(record.longest_gap))
    require(record_to_json(*again) == text, "a record that is read and written again is the same");
  const std::string line = record_line(record);
  require(is_quiet(line) && is_utf8(line), "a record's line is one line of text");
}

void check_decision(const Decision& decision) {
  const auto again = decision_from_json(decision_to_json(decision));
  require(again.has_value() && *again == decision, "a decision that is read and written again is the same");
}

void check_start(const StartReply& reply) {
  const std::string text = start_job_reply(reply);
  const auto envelope = parse_reply(require_message(text));
  require(envelope.has_value(), "a reply that is written can be read");
  const auto again = parse_start_reply(envelope->parameters);
  require(again.has_value() && *again == reply, "a reply that is read and written again is the same");
}

void check_parameters(const std::string& parameters) {
  if (const auto start = parse_start_reply(parameters)) {
    check_start(*start);
  } else {
    require_good_error(start.error());
  }
  if (const auto record = parse_end_reply(parameters)) {
    check_record(*record);
  } else {
    require_good_error(record.error());
  }
  if (const auto decision = parse_explain_reply(parameters)) check_decision(*decision);
  if (const auto version = parse_service_version(parameters)) check_shown(*version);
  if (const auto text = parse_interface_description(parameters)) {
    const auto fields = known_fields(*text, "JobSpec");
    require(fields.size() <= text->size() / 2, "a field has a name and a colon");
    for (const std::string& field : fields) require(field.find(':') == std::string::npos, "a colon is no field");
  }
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const auto reply = sweetspot::parse_reply(as_text(bytes, size));
  if (!reply) {
    require_good_error(reply.error());
    return 0;
  }
  if (reply->error) {
    require(!reply->error->sentence.empty(), "an error has words");
    check_shown(reply->error->sentence);
    check_shown(reply->error->name);
  }
  check_parameters(reply->parameters);
  return 0;
}
