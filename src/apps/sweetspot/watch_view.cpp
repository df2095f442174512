// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/watch_view.hpp"

#include <type_traits>

#include "apps/sweetspot/learned_text.hpp"
#include "apps/sweetspot/status_text.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t events_shown = 6;

std::string sample_text(const WatchSample& sample) {
  std::string text = sample.clock ? to_text(*sample.clock) : "- MHz";
  if (sample.gpu_load_percent) text += "  GPU " + fixed_text(*sample.gpu_load_percent, 0) + " %";
  for (const WatchSample::Rail& rail : sample.rails)
    text += "  " + printable(rail.name) + " " + (rail.power ? power_text(*rail.power) : "-");
  return text;
}

std::string job_text(JobId job, const Decision& decision) {
  return "job " + std::to_string(job) + ": " + decided_clock(decision) + " (" + printable(decision.policy) + ")";
}

struct EventText {
  std::string operator()(const JobStarted& event) const { return job_text(event.job_id, event.decision); }
  std::string operator()(const JobRedecided& event) const { return job_text(event.job_id, event.decision); }
  std::string operator()(const JobMoved& event) const {
    return job_text(event.job_id, event.decision) + ", from " + (event.from ? to_text(*event.from) : "no pin");
  }
  std::string operator()(const JobMeasured& event) const {
    std::string text = job_text(event.job_id, event.decision);
    for (const MeasuredClock& one : event.measured) {
      if (one.clock == event.decision.frequency) text += ": " + measured_text(one);
    }
    return text;
  }
  std::string operator()(const JobEnded& event) const {
    return "job " + std::to_string(event.record.job_id) + " (" + std::string(name_of(event.record.ended_by)) +
           "): " + record_line(event.record);
  }
  std::string operator()(const ClockPinned& event) const { return to_text(event.clock); }
  std::string operator()(const ClockLost& event) const {
    return (event.clock ? to_text(*event.clock) + " " : "") + printable(event.detail);
  }
  std::string operator()(const ClockRestored& event) const { return printable(event.detail); }
  std::string operator()(const Throttled& event) const { return printable(event.detail); }
  std::string operator()(const TroubleBegan& event) const {
    return std::string(name_of(event.reason)) + ": " + printable(event.detail);
  }
  std::string operator()(const TroubleEnded& event) const { return std::string(name_of(event.reason)); }
};

std::string event_text(const WatchEvent& event) {
  if (const auto* sample = std::get_if<WatchSample>(&event.what)) return sample_text(*sample);
  if (const auto* known = std::get_if<Event>(&event.what)) return std::visit(EventText{}, *known);
  return "(an event this version does not know)";
}

// The first `columns` code points, so that no line wraps and the height stays what was counted.
std::string cut(const std::string& line, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
    if (begins && ++seen > columns) return line.substr(0, i);
  }
  return line;
}

}  // namespace

std::string event_line(const WatchEvent& event, Duration since_start) {
  return fixed_text(in_seconds(since_start), 1) + " s  " + printable(kind_of(event)) + "  " + event_text(event);
}

void WatchView::show(StatusReport report) {
  report_ = std::move(report);
}

void WatchView::show(const WatchEvent& event, Duration since_start) {
  if (const auto* sample = std::get_if<WatchSample>(&event.what)) return overlay(*sample);
  events_.push_back(event_line(event, since_start));
  if (events_.size() > events_shown) events_.pop_front();
}

void WatchView::overlay(const WatchSample& sample) {
  if (!report_) return;
  for (const WatchSample::Rail& seen : sample.rails) {
    for (StatusReport::Rail& rail : report_->rails) {
      if (rail.name == seen.name) rail.power = seen.power;
    }
  }
  report_->gpu_load_percent = sample.gpu_load_percent;
  report_->clock.current = sample.clock;
}

std::string WatchView::frame() const {
  std::string text = report_ ? status_text(*report_) : "waiting for the service\n";
  if (!events_.empty()) text += "Events\n";
  for (const std::string& event : events_) text += "  " + event + "\n";
  return text;
}

Repaint repaint(const std::string& frame, std::size_t last_height, std::size_t columns, std::size_t rows) {
  Repaint out;
  // CPL: to the start of the first line of the last frame. EL clears what a shorter line leaves, ED what is below.
  if (last_height > 0) out.bytes = "\x1b[" + std::to_string(last_height) + "F";
  std::size_t begin = 0;
  // One row less than there is: the newline of the last one would scroll.
  while (begin < frame.size() && (rows == 0 || out.height + 1 < rows)) {
    const std::size_t end = frame.find('\n', begin);
    const std::string line = frame.substr(begin, end - begin);
    out.bytes += (columns == 0 ? line : cut(line, columns)) + "\x1b[K\n";
    ++out.height;
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  out.bytes += "\x1b[J";
  return out;
}

}  // namespace sweetspot
