// SPDX-License-Identifier: Apache-2.0
#include "service/sampler.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "service/steady_now.hpp"

namespace sweetspot {
namespace {

/// Less is what a desktop or a monitor draws now and then.
constexpr double load_of_nobody_percent = 1;

Instant middle_of(Instant begin, Instant end) {
  return begin + (end - begin) / 2;
}

}  // namespace

Sampler::Sampler(std::string sysfs_root, SamplerSettings settings, const Wakeup& news_bell)
    : Sampler(std::move(sysfs_root), settings, news_bell, {EnergyMeter(0, settings.longest_step), {}}) {}

Sampler::Sampler(std::string sysfs_root, SamplerSettings settings, const Wakeup& news_bell, Inherited inherited)
    : board_(std::move(sysfs_root)),
      bell_(news_bell),
      orders_{.settings = settings},
      news_{.meter = std::move(inherited.meter), .rails = std::move(inherited.rails)},
      thread_([this] { work(); }) {}

Sampler::~Sampler() {
  {
    const std::lock_guard lock(mutex_);
    orders_.stop = true;
  }
  ordered_.notify_one();
  thread_.join();
}

void Sampler::want(Wish wish) {
  {
    const std::lock_guard lock(mutex_);
    const bool known = orders_.run == wish.run && (orders_.sample_now || !wish.sample_now);
    if (known) return;
    orders_.run = wish.run;
    orders_.sample_now = orders_.sample_now || wish.sample_now;
  }
  ordered_.notify_one();
}

void Sampler::look_for_rails() {
  {
    const std::lock_guard lock(mutex_);
    orders_.look = true;
  }
  ordered_.notify_one();
}

void Sampler::use_gpu(std::optional<GpuNode> node) {
  {
    const std::lock_guard lock(mutex_);
    orders_.gpu = std::move(node);
    orders_.gpu_changed = true;
  }
  ordered_.notify_one();
}

void Sampler::reconfigure(SamplerSettings settings) {
  {
    const std::lock_guard lock(mutex_);
    orders_.settings = settings;
    orders_.settings_changed = true;
  }
  ordered_.notify_one();
}

Sampler::News Sampler::news() const {
  const std::lock_guard lock(mutex_);
  return news_;
}

void Sampler::work() {
  ::pthread_setname_np(::pthread_self(), "sampler");
  while (const auto orders = wait_for_work()) {
    if (orders->gpu_changed) use_load_of(orders->gpu);
    if (orders->look) find_rails_again();
    const bool due = orders->run && (!next_sample_ || steady_now() >= *next_sample_);
    if (due || orders->sample_now) take_sample(*orders);
    schedule_next(*orders);
  }
}

/// Sleeps until there is something to do and takes the one-time orders. Empty: stop.
std::optional<Sampler::Orders> Sampler::wait_for_work() {
  std::unique_lock lock(mutex_);
  const bool was_running = news_.running;
  const auto ordered = [&] {
    return orders_.stop || orders_.sample_now || orders_.look || orders_.gpu_changed || orders_.settings_changed ||
           orders_.run != was_running;
  };
  if (next_sample_) {
    ordered_.wait_until(lock, *next_sample_, ordered);
  } else {
    ordered_.wait(lock, ordered);
  }
  if (orders_.stop) return std::nullopt;
  // The node is a whole table of clocks: it is taken, and copied for no sample.
  std::optional<GpuNode> gpu = std::exchange(orders_.gpu, std::nullopt);
  Orders taken = orders_;
  taken.gpu = std::move(gpu);
  orders_.sample_now = false;
  orders_.look = false;
  orders_.gpu_changed = false;
  if (std::exchange(orders_.settings_changed, false)) {
    news_.meter.use_longest_step(taken.settings.longest_step);
    next_sample_.reset();
  }
  news_.running = taken.run;
  if (!taken.run) news_.gpu_rests = false;
  if (was_running && !taken.run) news_.meter.pause();
  return taken;
}

void Sampler::find_rails_again() {
  RailsFound found = find_rails(board_);
  std::vector<RailReader> readers;
  std::vector<std::string> labels;
  for (const RailSource& rail : found.rails) {
    auto reader = RailReader::open(board_, rail);
    if (!reader) {
      found.left_out.push_back({rail.label, rail.device, {}, reader.error().message});
      continue;
    }
    labels.push_back(rail.label);
    readers.push_back(*std::move(reader));
  }
  readers_ = std::move(readers);
  {
    const std::lock_guard lock(mutex_);
    if (news_.rails != labels) news_.meter = EnergyMeter(labels.size(), orders_.settings.longest_step);
    news_.rails = std::move(labels);
    news_.left_out = std::move(found.left_out);
    news_.looked = true;
  }
  bell_.ring();
}

void Sampler::use_load_of(const std::optional<GpuNode>& node) {
  load_.reset();
  if (!node) return;
  if (auto reader = LoadReader::open(board_, *node)) load_ = *std::move(reader);
}

void Sampler::take_sample(const Orders& orders) {
  const Instant begin = steady_now();
  {
    const std::lock_guard lock(mutex_);
    news_.sampling_since = begin;
  }
  PowerSample sample;
  std::string trouble;
  sample.rails.reserve(readers_.size());
  for (RailReader& reader : readers_) {
    const auto power = reader.read();
    sample.rails.push_back(power ? std::optional(*power) : std::nullopt);
    if (!power) trouble += (trouble.empty() ? "" : "; ") + reader.label() + ": " + power.error().message;
  }
  if (load_) {
    if (const auto load = load_->read()) sample.gpu_load_percent = *load;
  }
  const Instant end = steady_now();
  // A read that hung tells what is true when it comes back, and the time until then is a gap.
  sample.at = end - begin > orders.settings.longest_step ? end : middle_of(begin, end);
  const bool rests = gpu_rests(sample, orders.settings);
  bool ring = orders.sample_now;
  {
    const std::lock_guard lock(mutex_);
    ring = ring || rests != news_.gpu_rests;
    news_.gpu_rests = rests;
    news_.meter.add(sample);
    news_.sampling_since.reset();
    const auto told = trouble.empty() ? std::nullopt : std::optional(std::move(trouble));
    ring = ring || told.has_value() != news_.trouble.has_value();
    news_.trouble = told;
  }
  if (ring) bell_.ring();
}

/// A load that cannot be read may be one.
bool Sampler::gpu_rests(const PowerSample& sample, const SamplerSettings& settings) {
  if (!sample.gpu_load_percent || *sample.gpu_load_percent >= load_of_nobody_percent) {
    idle_since_.reset();
    return false;
  }
  if (!idle_since_) idle_since_ = sample.at;
  return settings.rest_after.count() > 0 && sample.at - *idle_since_ >= settings.rest_after;
}

void Sampler::schedule_next(const Orders& orders) {
  if (!orders.run) {
    next_sample_.reset();
    idle_since_.reset();
    return;
  }
  const Instant time = steady_now();
  if (!next_sample_) next_sample_ = time;
  // The next deadline follows from the last one, so the mean rate is exact; deadlines already missed are not made up
  // for.
  while (*next_sample_ <= time) *next_sample_ += orders.settings.period;
}

}  // namespace sweetspot
