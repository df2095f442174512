// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/health.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sweetspot {
namespace {

const Instant early{seconds(100)};
const Instant late{seconds(200)};

TEST(Health, IsWellWithoutTroubles) {
  EXPECT_TRUE(Health{}.well());
}

TEST(Health, ANewTroubleIsWorthAnEventAndTheSameOneAgainIsNot) {
  Health health;
  EXPECT_TRUE(health.raise(HealthReason::clock, "min_freq: permission denied", early));
  EXPECT_FALSE(health.raise(HealthReason::clock, "min_freq: permission denied", late));
  EXPECT_FALSE(health.well());
}

TEST(Health, NewWordsForATroubleAreWorthAnEventButItBeganWhenItBegan) {
  Health health;
  EXPECT_TRUE(health.raise(HealthReason::sensor, "VDD_GPU_SOC: no data", early));
  EXPECT_TRUE(health.raise(HealthReason::sensor, "VDD_GPU_SOC, VDD_CPU_CV: no data", late));
  EXPECT_EQ(health.troubles().at(HealthReason::sensor).detail, "VDD_GPU_SOC, VDD_CPU_CV: no data");
  EXPECT_EQ(health.troubles().at(HealthReason::sensor).since, early);
}

TEST(Health, OneTroubleDoesNotHideAnother) {
  Health health;
  EXPECT_TRUE(health.raise(HealthReason::clock, "refused", early));
  EXPECT_TRUE(health.raise(HealthReason::config, "key pollicy", late));
  EXPECT_TRUE(health.clear(HealthReason::clock));
  EXPECT_FALSE(health.well());
  EXPECT_EQ(health.troubles().count(HealthReason::config), 1u);
}

TEST(Health, ClearingWhatIsNotThereIsNothing) {
  Health health;
  EXPECT_FALSE(health.clear(HealthReason::rival));
  EXPECT_TRUE(health.raise(HealthReason::rival, "nvpmodel", early));
  EXPECT_TRUE(health.clear(HealthReason::rival));
  EXPECT_FALSE(health.clear(HealthReason::rival));
  EXPECT_TRUE(health.well());
}

TEST(Health, EveryReasonHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const HealthReason reason :
       {HealthReason::gpu_not_ready, HealthReason::clock, HealthReason::rival, HealthReason::throttled,
        HealthReason::rails_missing, HealthReason::sensor, HealthReason::config, HealthReason::history})
    names.insert(name_of(reason));
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(names.count(""), 0u);
}

}  // namespace
}  // namespace sweetspot
