// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// All that must be the same for what one job learned to hold for another. Texts as they are shown.
struct ProfileKey {
  std::string model_type;  ///< empty, or 0 in the numbers: the job did not say
  std::int64_t layers = 0;
  std::int64_t hidden_size = 0;
  std::int64_t mean_length = 0;  ///< of the sequences, in whole tokens
  std::int64_t batch_size = 0;
  std::string board;
  std::string power_mode;
  std::string rails;  ///< the counted ones, separated by blanks
  std::string aim;    ///< "energy" or "energy_delay", then the limits on time
  std::string setup;  ///< pin style and version of the daemon
  friend auto operator<=>(const ProfileKey&, const ProfileKey&) = default;
};

/// The part of the key that the job says; empty when it says too little to be recognised again (no layers).
[[nodiscard]] std::optional<ProfileKey> profile_key_of(const JobSpec& spec);

/// Where jobs of one kind stayed, and what a step cost them there.
struct LearnedProfile {
  ProfileKey key;
  std::optional<Hertz> clock;                     ///< empty: not pinned
  std::int64_t jobs = 0;                          ///< that stayed there one after the other
  double mean_log_joules = 0;                     ///< of joules per step, over those jobs
  double sum_of_squares = 0;                      ///< of those logarithms' distances from their mean
  std::chrono::system_clock::time_point learned;  ///< when the last of them ended

  [[nodiscard]] double joules_per_step() const;
  /// Standard deviation of one job from the next, as a share; empty for a single job.
  [[nodiscard]] std::optional<double> spread() const;
  friend bool operator==(const LearnedProfile&, const LearnedProfile&) = default;
};

/// What was learned so far, in memory. Passive but for what a further job does to a profile.
class ProfileBook {
 public:
  /// One job more stayed at that clock. Another clock than the profile's begins the profile anew.
  const LearnedProfile& learn(const ProfileKey& key, std::optional<Hertz> clock, double joules_per_step,
                              std::chrono::system_clock::time_point now);
  void put(LearnedProfile profile) { profiles_[profile.key] = std::move(profile); }
  [[nodiscard]] const LearnedProfile* find(const ProfileKey& key) const;
  [[nodiscard]] const std::map<ProfileKey, LearnedProfile>& all() const { return profiles_; }

 private:
  std::map<ProfileKey, LearnedProfile> profiles_;
};

}  // namespace sweetspot
