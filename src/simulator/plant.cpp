// SPDX-License-Identifier: Apache-2.0
#include "simulator/plant.hpp"

#include <algorithm>

namespace sweetspot {

namespace {

// nvgpu's default railgate_delay.
constexpr Duration default_gate_delay = std::chrono::milliseconds(500);
// The driver's copy of the limits is refreshed by the next 25 ms poll at the latest; a few ms more for the clock
// itself.
constexpr double longest_clock_delay_s = 0.030;

FrequencyTable table_of(const std::vector<Hertz>& clocks) {
  auto table = FrequencyTable::from(clocks);
  return std::move(*table);  // board tables are never empty: tests/simulator/board_test.cpp
}

}  // namespace

Plant::Plant(const Board& board, PlantOptions options, Instant start)
    : stage_{board.power, in_megahertz(board.gpu.node.clocks.back()), board.measured_here},
      options_(options),
      random_(options.seed),
      kernel_(board.kernel),
      devfreq_(table_of(board.gpu.node.clocks), board.kernel, board.gpu.governors),
      clocks_(board.gpu.node.clocks),
      clock_(clocks_.front()),
      gate_delay_(default_gate_delay),
      now_(start),
      power_(idle_power(stage_.traits, false)),
      residency_s_(clocks_.size(), 0),
      transitions_(clocks_.size() * clocks_.size(), 0) {
  history_.record({now_, used_, power_});
}

void Plant::advance(Instant now) {
  while (now_ < now) {
    integrate(std::min(now, std::max(now_, next_change())));
    apply_due();
  }
}

Instant Plant::next_change() const {
  Instant next = Instant::max();
  if (clock_due_) next = std::min(next, *clock_due_);
  if (idle_since_ && gating_ && powered_) next = std::min(next, *idle_since_ + gate_delay_);
  for (const auto& [id, load] : running_) {
    if (records_.at(id).total <= 0) continue;
    const double wall = load.steps_left * point_of(load.work).step_seconds / options_.time_scale / share();
    // Rounded up to the next nanosecond, so that the last step is complete when the event is due.
    if (wall < 1e9) next = std::min(next, now_ + seconds(wall) + Duration(1));
  }
  return next;
}

void Plant::integrate(Instant until) {
  const double dt = in_seconds(until - now_);
  for (auto& [id, load] : running_) {
    LoadProgress& record = records_.at(id);
    double steps = dt * share() * options_.time_scale / point_of(load.work).step_seconds;
    if (record.total > 0) steps = std::min(steps, load.steps_left);
    load.steps_left -= steps;
    record.steps = record.total > 0 ? record.total - load.steps_left : record.steps + steps;
    record.busy_s += dt;
    record.energy = record.energy + power_.scaled(dt * (1.0 / static_cast<double>(running_.size())));
  }
  used_ = used_ + power_.scaled(dt);
  const auto at = std::find(clocks_.begin(), clocks_.end(), clock());
  if (at != clocks_.end()) residency_s_[static_cast<std::size_t>(at - clocks_.begin())] += dt;
  now_ = until;
}

void Plant::apply_due() {
  constexpr double nothing_left = 1e-6;
  bool changed = false;
  for (auto it = running_.begin(); it != running_.end();) {
    const bool done = records_.at(it->first).total > 0 && it->second.steps_left <= nothing_left;
    if (done) {
      records_.at(it->first).steps = records_.at(it->first).total;
      records_.at(it->first).running = false;
    }
    changed |= done;
    it = done ? running_.erase(it) : std::next(it);
  }
  if (clock_due_ && *clock_due_ <= now_) {
    clock_due_.reset();
    set_clock(devfreq_.target());
    changed = true;
  }
  if (idle_since_ && gating_ && powered_ && *idle_since_ + gate_delay_ <= now_) {
    powered_ = false;
    changed = true;
  }
  if (changed) refresh();
}

void Plant::set_clock(Hertz clock) {
  if (!obeys_ || clock == clock_) return;
  const auto index = [&](Hertz f) {
    return static_cast<std::size_t>(std::find(clocks_.begin(), clocks_.end(), f) - clocks_.begin());
  };
  ++transitions_[index(clock_) * clocks_.size() + index(clock)];
  clock_ = clock;
}

std::uint64_t Plant::transitions(std::size_t from, std::size_t to) const {
  return transitions_[from * clocks_.size() + to];
}

void Plant::reset_statistics() {
  std::fill(residency_s_.begin(), residency_s_.end(), 0.0);
  std::fill(transitions_.begin(), transitions_.end(), 0U);
}

// Everything that follows from which loads run: power gating, the governor's wish, the power drawn.
void Plant::refresh() {
  const bool busy = !active().empty();
  if (busy) {
    if (!powered_) set_clock(clocks_.front());  // comes out of power gating at the reset clock
    powered_ = true;
    idle_since_.reset();
  } else if (!idle_since_) {
    idle_since_ = now_;
  }
  if (!gating_) powered_ = true;
  const Hertz target = devfreq_.retarget(wish());
  if (target != clock_ && obeys_ && powered_ && !clock_due_) {
    std::uniform_real_distribution<double> delay(0, longest_clock_delay_s);
    clock_due_ = now_ + seconds(delay(random_));
  }
  PartPower power = idle_power(stage_.traits, powered_);
  if (busy) {
    power = {};
    for (const Load* load : active()) {
      PartPower own = point_of(load->work).power;
      own = own.scaled(load->power_factor / static_cast<double>(active().size()));
      power = power + own;
    }
  }
  power_ = power;
  history_.record({now_, used_, power_});
}

void Plant::retarget() {
  refresh();
}

void Plant::reset_devfreq() {
  devfreq_ = DevfreqModel(devfreq_.table(), kernel_, devfreq_.governors());
  clock_due_.reset();
  refresh();
}

std::vector<const Plant::Load*> Plant::active() const {
  std::vector<const Load*> all;
  for (const auto& [id, load] : running_) all.push_back(&load);
  if (all.empty() && background_) all.push_back(&*background_);
  return all;
}

double Plant::share() const {
  return 1.0 / static_cast<double>(std::max<std::size_t>(1, running_.size()));
}

Hertz Plant::wish() const {
  Hertz highest = clocks_.front();
  for (const Load* load : active()) highest = std::max(highest, governor_wish(load->work, stage_, clocks_));
  return highest;
}

// The MAXN row is played where the default governor really decides: neither limit cuts the clock it settles at.
bool Plant::left_to_governor(const Workload& work) const {
  if (devfreq_.governor() != "nvhost_podgov") return false;
  const Hertz settled = governor_wish(work, stage_, clocks_);
  return devfreq_.min() < settled && settled <= devfreq_.max() && clock_ == settled;
}

OperatingPoint Plant::point_of(const Workload& work) const {
  if (left_to_governor(work)) {
    if (auto point = unpinned_point(work, stage_)) return *point;
  }
  return pinned_point(work, stage_, in_megahertz(clock_));
}

std::uint64_t Plant::start_load(const Workload& work, double steps) {
  std::normal_distribution<double> run(1.0, options_.run_noise);
  const double factor = options_.run_noise > 0 ? std::max(0.5, run(random_)) : 1.0;
  const std::uint64_t id = next_id_++;
  LoadProgress& record = records_[id];
  record.total = steps;
  record.running = true;
  record.workload = work.id;
  running_.emplace(id, Load{work, steps, factor});
  refresh();
  return id;
}

void Plant::end_load(std::uint64_t id) {
  if (running_.erase(id) == 0) return;
  records_.at(id).running = false;
  refresh();
}

LoadProgress Plant::progress(std::uint64_t id) const {
  const auto found = records_.find(id);
  return found == records_.end() ? LoadProgress{} : found->second;
}

void Plant::background(std::optional<Workload> work) {
  background_.reset();
  if (work && work->step.work_mhz_s > 0) background_ = Load{*work, 0, 1};
  refresh();
}

void Plant::behave_as(DevfreqModel::Kernel kernel) {
  kernel_ = kernel;
  devfreq_.behave_as(kernel);
  refresh();
}

void Plant::obey(bool clock_follows) {
  obeys_ = clock_follows;
  refresh();
}

void Plant::gate_when_idle(bool enabled) {
  gating_ = enabled;
  if (active().empty()) idle_since_ = now_;
  refresh();
}

Hertz Plant::clock() const {
  return powered_ ? clock_ : clocks_.front();
}

double Plant::load() const {
  double total = 0;
  for (const Load* load : active()) total += point_of(load->work).load / static_cast<double>(active().size());
  return powered_ ? total : 0;
}

}  // namespace sweetspot
