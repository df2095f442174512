// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "service/wakeup.hpp"
#include "sweetspot/core/energy_meter.hpp"
#include "sweetspot/platform/gpu_load.hpp"
#include "sweetspot/platform/rails.hpp"

namespace sweetspot {

struct SamplerSettings {
  Duration period = std::chrono::milliseconds(100);
  Duration longest_step = seconds(1);  ///< samples further apart have a gap between them
  Duration rest_after{0};              ///< a GPU without load for so long rests; 0: it never does
  friend bool operator==(const SamplerSettings&, const SamplerSettings&) = default;
};

/// The thread that reads the power rails and integrates the meter. It knows no jobs: it samples while somebody wants it
/// to (drift-free deadlines), takes one sample at once when asked, and sleeps otherwise. Public calls return at once
/// and belong to the loop's thread.
class Sampler {
 public:
  struct News {
    EnergyMeter meter;               ///< a copy: integrals, the last sample, the gaps
    std::vector<std::string> rails;  ///< labels, in the meter's order
    std::vector<RailLeftOut> left_out;
    std::optional<std::string> trouble;     ///< rails that could not be read at the last sample, in words
    std::optional<Instant> sampling_since;  ///< a sample is being taken since then
    bool running = false;
    bool gpu_rests = false;  ///< the bell rings when this changes, so with the first sample that shows a load
    bool looked = false;     ///< the rails have been looked for at least once
  };

  /// A meter of an earlier process and the rails it was of.
  struct Inherited {
    EnergyMeter meter;
    std::vector<std::string> rails;
  };

  Sampler(std::string sysfs_root, SamplerSettings settings, const Wakeup& news_bell);
  /// Goes on with that meter, if these are still the board's rails.
  Sampler(std::string sysfs_root, SamplerSettings settings, const Wakeup& news_bell, Inherited inherited);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  struct Wish {
    bool run = false;  ///< samples periodically from now on, or no longer
    /// Takes a sample that begins after this call, and rings the bell when it is done. A sampler that begins to run
    /// takes it as its first.
    bool sample_now = false;
  };
  void want(Wish wish);
  /// Rails may have appeared or moved.
  void look_for_rails();
  /// The node whose load is read with the rails; empty: none.
  void use_gpu(std::optional<GpuNode> node);
  void reconfigure(SamplerSettings settings);
  [[nodiscard]] News news() const;

 private:
  struct Orders {
    bool run = false;
    bool sample_now = false;
    bool look = true;
    bool gpu_changed = false;
    bool settings_changed = false;
    std::optional<GpuNode> gpu;
    SamplerSettings settings;
    bool stop = false;
  };
  void work();
  [[nodiscard]] std::optional<Orders> wait_for_work();
  void find_rails_again();
  void use_load_of(const std::optional<GpuNode>& node);
  void take_sample(const Orders& orders);
  void schedule_next(const Orders& orders);
  [[nodiscard]] bool gpu_rests(const PowerSample& sample, const SamplerSettings& settings);

  FileAttributes board_;
  const Wakeup& bell_;

  mutable std::mutex mutex_;
  std::condition_variable ordered_;
  Orders orders_;  // guarded by mutex_
  News news_;      // guarded by mutex_

  std::vector<RailReader> readers_;  // worker thread only, like all below
  std::optional<LoadReader> load_;
  std::optional<Instant> next_sample_;
  std::optional<Instant> idle_since_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace sweetspot
