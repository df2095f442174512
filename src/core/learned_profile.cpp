// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/learned_profile.hpp"

#include <cmath>

namespace sweetspot {

std::optional<ProfileKey> profile_key_of(const JobSpec& spec) {
  if (!spec.layers) return std::nullopt;
  ProfileKey key;
  key.model_type = spec.model_type.value_or("");
  key.layers = *spec.layers;
  key.hidden_size = spec.hidden_size.value_or(0);
  key.mean_length = std::llround(spec.mean_sequence_length.value_or(0));
  key.batch_size = spec.batch_size.value_or(0);
  return key;
}

double LearnedProfile::joules_per_step() const {
  return std::exp(mean_log_joules);
}

std::optional<double> LearnedProfile::spread() const {
  if (jobs < 2) return std::nullopt;
  return std::sqrt(sum_of_squares / static_cast<double>(jobs - 1));
}

const LearnedProfile& ProfileBook::learn(const ProfileKey& key, std::optional<Hertz> clock, double joules_per_step,
                                         std::chrono::system_clock::time_point now) {
  LearnedProfile& profile = profiles_[key];
  if (profile.jobs == 0 || profile.clock != clock) profile = {.key = key, .clock = clock};
  const double value = std::log(joules_per_step);
  const double distance = value - profile.mean_log_joules;
  ++profile.jobs;
  profile.mean_log_joules += distance / static_cast<double>(profile.jobs);
  profile.sum_of_squares += distance * (value - profile.mean_log_joules);
  profile.learned = now;
  return profile;
}

const LearnedProfile* ProfileBook::find(const ProfileKey& key) const {
  const auto found = profiles_.find(key);
  return found == profiles_.end() ? nullptr : &found->second;
}

}  // namespace sweetspot
