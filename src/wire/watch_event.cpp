// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/watch_event.hpp"

#include <array>

#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"

namespace sweetspot {
namespace {

/// Every kind of event has the same optional fields, so that the interface needs one type and clients one reader.
struct FlatEvent {
  std::string kind;
  Duration at{0};
  std::optional<WatchSample> sample;
  std::optional<JobId> job_id;
  std::optional<std::string> name;
  std::optional<Decision> decision;
  std::optional<Owner> owner;
  std::optional<EnergyRecord> record;
  std::optional<Hertz> clock;
  std::optional<Hertz> from;
  std::optional<std::vector<MeasuredClock>> measured;
  std::optional<std::string> reason;
  std::optional<std::string> detail;
};

void visit_fields(Either<FlatEvent> auto& event, auto&& visit) {
  visit("kind", event.kind);
  visit("at_s", event.at);
  visit("sample", event.sample);
  visit("job_id", event.job_id);
  visit("name", event.name);
  visit("decision", event.decision);
  visit("owner", event.owner);
  visit("record", event.record);
  visit("clock_hz", event.clock);
  visit("from_hz", event.from);
  visit("measured", event.measured);
  visit("reason", event.reason);
  visit("detail", event.detail);
}

struct Kind {
  std::string operator()(const WatchSample&) const { return "sample"; }
  std::string operator()(const UnknownEvent& event) const { return event.kind; }
  std::string operator()(const Event& event) const { return std::visit(*this, event); }
  std::string operator()(const JobStarted&) const { return "job_started"; }
  std::string operator()(const JobRedecided&) const { return "job_redecided"; }
  std::string operator()(const JobMoved&) const { return "job_moved"; }
  std::string operator()(const JobMeasured&) const { return "job_measured"; }
  std::string operator()(const JobEnded&) const { return "job_ended"; }
  std::string operator()(const ClockPinned&) const { return "clock_pinned"; }
  std::string operator()(const ClockLost&) const { return "clock_lost"; }
  std::string operator()(const ClockRestored&) const { return "clock_restored"; }
  std::string operator()(const Throttled&) const { return "throttled"; }
  std::string operator()(const TroubleBegan&) const { return "trouble_began"; }
  std::string operator()(const TroubleEnded&) const { return "trouble_ended"; }
};

/// Fills the fields that a kind has.
struct Flatten {
  FlatEvent& out;
  void operator()(const WatchSample& sample) const { out.sample = sample; }
  void operator()(const UnknownEvent&) const {}
  void operator()(const Event& event) const { std::visit(*this, event); }
  void operator()(const JobStarted& event) const {
    out.job_id = event.job_id;
    out.name = event.name;
    out.decision = event.decision;
    out.owner = event.owner;
  }
  void operator()(const JobRedecided& event) const {
    out.job_id = event.job_id;
    out.decision = event.decision;
  }
  void operator()(const JobMoved& event) const {
    out.job_id = event.job_id;
    out.decision = event.decision;
    out.from = event.from;
    out.measured = event.measured;
  }
  void operator()(const JobMeasured& event) const {
    out.job_id = event.job_id;
    out.decision = event.decision;
    out.measured = event.measured;
  }
  void operator()(const JobEnded& event) const {
    out.job_id = event.record.job_id;
    out.record = event.record;
  }
  void operator()(const ClockPinned& event) const { out.clock = event.clock; }
  void operator()(const ClockLost& event) const {
    out.clock = event.clock;
    out.detail = event.detail;
  }
  void operator()(const ClockRestored& event) const { out.detail = event.detail; }
  void operator()(const Throttled& event) const { out.detail = event.detail; }
  void operator()(const TroubleBegan& event) const {
    out.reason = std::string(name_of(event.reason));
    out.detail = event.detail;
  }
  void operator()(const TroubleEnded& event) const { out.reason = std::string(name_of(event.reason)); }
};

std::optional<HealthReason> reason_named(std::string_view name) {
  for (const HealthReason reason :
       {HealthReason::gpu_not_ready, HealthReason::clock, HealthReason::rival, HealthReason::throttled,
        HealthReason::rails_missing, HealthReason::sensor, HealthReason::config, HealthReason::history}) {
    if (name == name_of(reason)) return reason;
  }
  return std::nullopt;
}

using What = decltype(WatchEvent::what);

// Each takes the fields it needs; false means that one is missing.
struct Unflatten {
  std::string_view kind;
  bool (*make)(FlatEvent& flat, What& out);
};

bool make_sample(FlatEvent& flat, What& out) {
  if (flat.sample) out.emplace<WatchSample>(std::move(*flat.sample));
  return flat.sample.has_value();
}
bool make_job_started(FlatEvent& flat, What& out) {
  if (!flat.job_id || !flat.decision || !flat.owner) return false;
  out.emplace<Event>(JobStarted{*flat.job_id, flat.name, std::move(*flat.decision), std::move(*flat.owner)});
  return true;
}
bool make_job_redecided(FlatEvent& flat, What& out) {
  if (!flat.job_id || !flat.decision) return false;
  out.emplace<Event>(JobRedecided{*flat.job_id, std::move(*flat.decision)});
  return true;
}
bool make_job_moved(FlatEvent& flat, What& out) {
  if (!flat.job_id || !flat.decision || !flat.measured) return false;
  out.emplace<Event>(JobMoved{*flat.job_id, std::move(*flat.decision), flat.from, std::move(*flat.measured)});
  return true;
}
bool make_job_measured(FlatEvent& flat, What& out) {
  if (!flat.job_id || !flat.decision || !flat.measured) return false;
  out.emplace<Event>(JobMeasured{*flat.job_id, std::move(*flat.decision), std::move(*flat.measured)});
  return true;
}
bool make_job_ended(FlatEvent& flat, What& out) {
  if (flat.record) out.emplace<Event>(JobEnded{std::move(*flat.record)});
  return flat.record.has_value();
}
bool make_clock_pinned(FlatEvent& flat, What& out) {
  if (flat.clock) out.emplace<Event>(ClockPinned{*flat.clock});
  return flat.clock.has_value();
}
bool make_clock_lost(FlatEvent& flat, What& out) {
  out.emplace<Event>(ClockLost{flat.clock, flat.detail.value_or("")});
  return true;
}
bool make_clock_restored(FlatEvent& flat, What& out) {
  out.emplace<Event>(ClockRestored{flat.detail.value_or("")});
  return true;
}
bool make_throttled(FlatEvent& flat, What& out) {
  out.emplace<Event>(Throttled{flat.detail.value_or("")});
  return true;
}
// A trouble of a kind that a newer daemon has added is an event of an unknown kind.
bool make_trouble_began(FlatEvent& flat, What& out) {
  if (!flat.reason) return false;
  if (const auto reason = reason_named(*flat.reason))
    out.emplace<Event>(TroubleBegan{*reason, flat.detail.value_or("")});
  return true;
}
bool make_trouble_ended(FlatEvent& flat, What& out) {
  if (!flat.reason) return false;
  if (const auto reason = reason_named(*flat.reason)) out.emplace<Event>(TroubleEnded{*reason});
  return true;
}

constexpr std::array unflatten{
    Unflatten{"sample", make_sample},
    Unflatten{"job_started", make_job_started},
    Unflatten{"job_redecided", make_job_redecided},
    Unflatten{"job_moved", make_job_moved},
    Unflatten{"job_measured", make_job_measured},
    Unflatten{"job_ended", make_job_ended},
    Unflatten{"clock_pinned", make_clock_pinned},
    Unflatten{"clock_lost", make_clock_lost},
    Unflatten{"clock_restored", make_clock_restored},
    Unflatten{"throttled", make_throttled},
    Unflatten{"trouble_began", make_trouble_began},
    Unflatten{"trouble_ended", make_trouble_ended},
};

}  // namespace

std::string kind_of(const WatchEvent& event) {
  return std::visit(Kind{}, event.what);
}

std::string watch_event_to_json(const WatchEvent& event) {
  FlatEvent flat{.kind = kind_of(event), .at = event.at};
  std::visit(Flatten{flat}, event.what);
  JsonWriter out;
  out.begin_object();
  out.key("event");
  out.begin_object();
  visit_fields(flat, PresentFieldWriter{out});
  out.end_object();
  out.end_object();
  return out.take();
}

Result<WatchEvent> parse_watch_event(std::string_view json) {
  auto root = read_clean_json(json);
  if (!root) return failure(std::move(root.error()));
  const Place place{nullptr, "event"};
  if (!root->is_object() || !root->contains("event")) return failure("event: is missing");
  FlatEvent flat;
  if (auto problem = read((*root)["event"], place, UnknownKeys::ignored, flat))
    return failure(to_error(std::move(*problem)));
  WatchEvent event{flat.at, UnknownEvent{flat.kind}};
  for (const Unflatten& entry : unflatten) {
    if (entry.kind == flat.kind && !entry.make(flat, event.what))
      return failure("event: a " + flat.kind + " lacks one of its fields");
  }
  return event;
}

}  // namespace sweetspot
