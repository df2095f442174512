// SPDX-License-Identifier: Apache-2.0
#include "service/journal.hpp"

#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include <cmath>
#include <cstdint>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/wire/date_text.hpp"

namespace sweetspot {
namespace {

// Each id names one kind of entry for ever; the catalog explains them.
constexpr std::string_view job_started_id = "9fbd8d8e25ac4c0c992db0e173ca0f5b";
constexpr std::string_view job_redecided_id = "87e2455e720643498ab994a4173f6b55";
constexpr std::string_view job_moved_id = "c56e6f3991014ce19dc2a1bc8795e83d";
constexpr std::string_view job_measured_id = "6e34d56cfe0d4df7a379a63daa74a06e";
constexpr std::string_view job_ended_id = "1ef453e41e594970903b4fbb2b78122e";
constexpr std::string_view clock_pinned_id = "7fa2433023bf4ed1b70dd8ec1f1387f2";
constexpr std::string_view clock_lost_id = "16843f9911ba4964b48fb030772740ff";
constexpr std::string_view clock_restored_id = "abca0ba52fd946f3916287a536622fc2";
constexpr std::string_view throttled_id = "550ac9a3cb3c4336a1d259a0716f897b";
constexpr std::string_view trouble_began_id = "cb80b100915446d591cc001c6503df09";
constexpr std::string_view trouble_ended_id = "9cff3c21ddb340cdbc0219d67129e2ef";
constexpr std::string_view rails_id = "037e4b5443354643a19fd1a31e5f3800";
constexpr std::string_view job_lost_id = "17c9c52f39024044a70479646b0d0a1c";
constexpr std::string_view sensor_lost_id = "07d3ca9e6c1b40cd9bcaa18ee28c92b3";
constexpr std::string_view sensor_back_id = "96a3d3caecdd4781a200a3bce78d1ea1";

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string text(double value) {
  return number_text(value);
}
std::string text(Hertz clock) {
  return std::to_string(clock.value);
}
std::string text(std::int64_t value) {
  return std::to_string(value);
}
const std::string& text(const std::string& value) {
  return value;
}

template <class T>
void add(Fields& fields, const char* name, const std::optional<T>& value) {
  if (value) fields.emplace_back(name, text(*value));
}

void add_decision(Fields& fields, const Decision& decision) {
  fields.emplace_back("SWEETSPOT_POLICY", decision.policy);
  fields.emplace_back("SWEETSPOT_REASON", decision.reason);
  fields.emplace_back("SWEETSPOT_FALLBACK", decision.fallback ? "1" : "0");
  add(fields, "SWEETSPOT_FREQUENCY_HZ", decision.frequency);
  add(fields, "SWEETSPOT_CLAMPED_FROM_HZ", decision.clamped_from);
  std::string path;
  for (const std::string& question : decision.path) path += (path.empty() ? "" : "; ") + question;
  if (!path.empty()) fields.emplace_back("SWEETSPOT_PATH", path);
}

void add_owner(Fields& fields, const Owner& owner) {
  fields.emplace_back("SWEETSPOT_UID", std::to_string(owner.uid));
  fields.emplace_back("SWEETSPOT_PID", std::to_string(owner.pid));
  if (!owner.comm.empty()) fields.emplace_back("SWEETSPOT_COMM", owner.comm);
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// Journal field names hold A-Z, 0-9 and '_' only.
std::string field_name(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += lower ? static_cast<char>(c - 'a' + 'A') : (kept ? c : '_');
  }
  return name;
}

std::string clock_text(const std::optional<Hertz>& clock) {
  return clock ? to_text(*clock) : "no pin";
}

/// Hz:J/step:uncertainty:steps of every clock measured; "-" for the one that is not pinned.
void add_measured(Fields& fields, const std::vector<MeasuredClock>& measured) {
  std::string all;
  for (const MeasuredClock& one : measured)
    all += (all.empty() ? "" : " ") + (one.clock ? text(*one.clock) : "-") + ":" + text(one.joules_per_step) + ":" +
           text(one.uncertainty) + ":" + text(one.steps);
  if (!all.empty()) fields.emplace_back("SWEETSPOT_MEASURED", all);
}

std::string name_text(JobId id, const std::optional<std::string>& name) {
  return "job " + std::to_string(id) + (name ? " (" + *name + ")" : "");
}

void add_energy(Fields& fields, const EnergyRecord& record) {
  if (record.energy) fields.emplace_back("SWEETSPOT_ENERGY_J", text(record.energy->value));
  if (record.share) fields.emplace_back("SWEETSPOT_SHARE_J", text(record.share->value));
  if (record.mean_power) fields.emplace_back("SWEETSPOT_MEAN_POWER_W", text(record.mean_power->value));
  fields.emplace_back("SWEETSPOT_RAILS_COUNTED", joined(record.rails_counted));
  fields.emplace_back("SWEETSPOT_RAILS_LEFT_OUT", joined(record.rails_left_out));
  for (const RailEnergy& rail : record.rails) {
    const std::string name = "SWEETSPOT_RAIL_" + field_name(rail.name);
    if (rail.energy) fields.emplace_back(name + "_J", text(rail.energy->value));
    if (rail.mean_power) fields.emplace_back(name + "_MW", text(std::round(rail.mean_power->value * 1000)));
  }
  fields.emplace_back("SWEETSPOT_SAMPLES", std::to_string(record.samples));
  fields.emplace_back("SWEETSPOT_COVERAGE", text(record.coverage));
  fields.emplace_back("SWEETSPOT_LONGEST_GAP_S", text(in_seconds(record.longest_gap)));
  fields.emplace_back("SWEETSPOT_ENERGY_VALID", record.energy_valid ? "1" : "0");
}

Fields fields_of(const EnergyRecord& record) {
  Fields fields{{"SWEETSPOT_JOB_ID", std::to_string(record.job_id)}};
  add(fields, "SWEETSPOT_NAME", record.name);
  add_decision(fields, record.decision);
  add(fields, "SWEETSPOT_APPLIED_HZ", record.applied);
  add(fields, "SWEETSPOT_SHARE_AT_CLOCK", record.share_at_clock);
  fields.emplace_back("SWEETSPOT_STARTED", to_rfc3339(record.started));
  fields.emplace_back("SWEETSPOT_DURATION_S", text(in_seconds(record.duration)));
  add(fields, "SWEETSPOT_STEPS", record.steps);
  add_energy(fields, record);
  add(fields, "SWEETSPOT_GPU_LOAD_MEAN", record.gpu_load_mean);
  fields.emplace_back("SWEETSPOT_SHARED_WITH", std::to_string(record.shared_with));
  add(fields, "SWEETSPOT_POWER_MODE", record.power_mode);
  add(fields, "SWEETSPOT_BOARD", record.board);
  fields.emplace_back("SWEETSPOT_ENDED_BY", name_of(record.ended_by));
  add_owner(fields, record.owner);
  return fields;
}

std::string sentence_for(const EnergyRecord& record) {
  std::string sentence = name_text(record.job_id, record.name) + " ended (" + std::string(name_of(record.ended_by)) +
                         ") after " + fixed_text(in_seconds(record.duration), 1) + " s";
  if (!record.energy) return sentence + "; its energy was not measured";
  sentence += ": " + fixed_text(record.energy->value, 1) + " J on " + joined(record.rails_counted) + ", " +
              fixed_text(record.coverage * 100, 0) + " % of the time measured";
  return sentence + (record.energy_valid ? "" : " (too little to be valid)");
}

struct EntryMaker {
  JournalEntry operator()(const JobStarted& event) const {
    JournalEntry entry{name_text(event.job_id, event.name) + " started: " + event.decision.reason,
                       job_started_id,
                       LOG_INFO,
                       {{"SWEETSPOT_JOB_ID", std::to_string(event.job_id)}}};
    add(entry.fields, "SWEETSPOT_NAME", event.name);
    add_decision(entry.fields, event.decision);
    add_owner(entry.fields, event.owner);
    return entry;
  }
  JournalEntry operator()(const JobRedecided& event) const {
    JournalEntry entry{"job " + std::to_string(event.job_id) + " decided anew: " + event.decision.reason,
                       job_redecided_id,
                       LOG_INFO,
                       {{"SWEETSPOT_JOB_ID", std::to_string(event.job_id)}}};
    add_decision(entry.fields, event.decision);
    return entry;
  }
  JournalEntry operator()(const JobMoved& event) const {
    JournalEntry entry{"job " + std::to_string(event.job_id) + " moves from " + clock_text(event.from) + " to " +
                           clock_text(event.decision.frequency) + ": " + event.decision.reason,
                       job_moved_id,
                       LOG_INFO,
                       {{"SWEETSPOT_JOB_ID", std::to_string(event.job_id)}}};
    add_decision(entry.fields, event.decision);
    add(entry.fields, "SWEETSPOT_FROM_HZ", event.from);
    add_measured(entry.fields, event.measured);
    return entry;
  }
  JournalEntry operator()(const JobMeasured& event) const {
    JournalEntry entry{"job " + std::to_string(event.job_id) + " measured: " + event.decision.reason,
                       job_measured_id,
                       LOG_DEBUG,
                       {{"SWEETSPOT_JOB_ID", std::to_string(event.job_id)}}};
    add_decision(entry.fields, event.decision);
    add_measured(entry.fields, event.measured);
    return entry;
  }
  JournalEntry operator()(const JobEnded& event) const {
    return {sentence_for(event.record), job_ended_id, LOG_INFO, fields_of(event.record)};
  }
  JournalEntry operator()(const ClockPinned& event) const {
    return {"GPU clock pinned to " + to_text(event.clock),
            clock_pinned_id,
            LOG_INFO,
            {{"SWEETSPOT_APPLIED_HZ", text(event.clock)}}};
  }
  JournalEntry operator()(const ClockLost& event) const {
    JournalEntry entry{
        "GPU clock lost: " + event.detail, clock_lost_id, LOG_WARNING, {{"SWEETSPOT_REASON", event.detail}}};
    add(entry.fields, "SWEETSPOT_FREQUENCY_HZ", event.clock);
    return entry;
  }
  JournalEntry operator()(const ClockRestored& event) const {
    return {"GPU clock given back: " + event.detail, clock_restored_id, LOG_INFO, {{"SWEETSPOT_REASON", event.detail}}};
  }
  JournalEntry operator()(const Throttled& event) const {
    return {"GPU clock throttled: " + event.detail, throttled_id, LOG_WARNING, {{"SWEETSPOT_REASON", event.detail}}};
  }
  JournalEntry operator()(const TroubleBegan& event) const {
    const bool sensor = event.reason == HealthReason::sensor;
    return {std::string(name_of(event.reason)) + ": " + event.detail,
            sensor ? sensor_lost_id : trouble_began_id,
            LOG_WARNING,
            {{"SWEETSPOT_TROUBLE", std::string(name_of(event.reason))}, {"SWEETSPOT_REASON", event.detail}}};
  }
  JournalEntry operator()(const TroubleEnded& event) const {
    const bool sensor = event.reason == HealthReason::sensor;
    return {std::string(name_of(event.reason)) + ": well again",
            sensor ? sensor_back_id : trouble_ended_id,
            LOG_INFO,
            {{"SWEETSPOT_TROUBLE", std::string(name_of(event.reason))}}};
  }
};

}  // namespace

JournalEntry journal_entry_for(const Event& event) {
  return std::visit(EntryMaker{}, event);
}

JournalEntry journal_entry_for_rails(const std::vector<RailMean>& means) {
  JournalEntry entry{"rails", rails_id, LOG_INFO, {}};
  for (const RailMean& mean : means) {
    if (!mean.milliwatts) {
      entry.message += " " + mean.label + " not measured";
      continue;
    }
    entry.message += " " + mean.label + " " + fixed_text(*mean.milliwatts / 1000, 1) + " W";
    entry.fields.emplace_back("SWEETSPOT_RAIL_" + field_name(mean.label) + "_MW", text(std::round(*mean.milliwatts)));
  }
  return entry;
}

JournalEntry journal_entry_for_lost(const LostJob& job) {
  return {"lost with a daemon that died: " + job.sentence,
          job_lost_id,
          LOG_WARNING,
          {{"SWEETSPOT_JOB_ID", std::to_string(job.id)},
           {"SWEETSPOT_ENDED_BY", "lost"},
           {"SWEETSPOT_REASON", job.sentence}}};
}

void send_to_journal(const JournalEntry& entry) {
  std::vector<std::string> lines{"MESSAGE=" + entry.message, "PRIORITY=" + std::to_string(entry.priority),
                                 "MESSAGE_ID=" + std::string(entry.message_id), "SYSLOG_IDENTIFIER=sweetspotd"};
  for (const auto& [name, value] : entry.fields) lines.push_back(name + "=" + value);
  std::vector<iovec> parts;
  parts.reserve(lines.size());
  for (std::string& line : lines) parts.push_back({line.data(), line.size()});
  (void)sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
}

}  // namespace sweetspot
