// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/profiles_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sweetspot {
namespace {

ProfileBook sample() {
  ProfileBook book;
  const ProfileKey bert{.model_type = "bert",
                        .layers = 24,
                        .hidden_size = 1024,
                        .mean_length = 14,
                        .batch_size = 32,
                        .board = "NVIDIA Jetson AGX Orin Developer Kit",
                        .power_mode = "MAXN",
                        .rails = "VDD_GPU_SOC VDD_CPU_CV",
                        .aim = "energy",
                        .setup = "pin exact, sweetspotd 0.1.0"};
  const std::chrono::system_clock::time_point at{std::chrono::hours(24 * 365 * 55)};
  static_cast<void>(book.learn(bert, megahertz(612), 9.7, at));
  static_cast<void>(book.learn(bert, megahertz(612), 9.9, at));
  ProfileKey tiny = bert;
  tiny.layers = 2;
  static_cast<void>(book.learn(tiny, std::nullopt, 0.25, at));
  return book;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = profiles_text(sample());
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ProfilesText, ReadsBackWhatItWrote) {
  const ProfileBook book = sample();
  const auto read = parse_profiles(profiles_text(book));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->all().size(), 2U);
  for (const auto& [key, profile] : book.all()) {
    const LearnedProfile* again = read->find(key);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->clock, profile.clock);
    EXPECT_EQ(again->jobs, profile.jobs);
    EXPECT_NEAR(again->joules_per_step(), profile.joules_per_step(), 1e-9);
    EXPECT_NEAR(again->spread().value_or(0), profile.spread().value_or(0), 1e-9);
    EXPECT_EQ(again->learned, profile.learned);
  }
  EXPECT_EQ(profiles_text(*read), profiles_text(book));
}

TEST(ProfilesText, HoldsForNothingLearned) {
  const auto read = parse_profiles(profiles_text({}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->all().empty());
}

TEST(ProfilesText, NamesThePlaceOfWhatIsWrong) {
  struct Case {
    std::string text;
    const char* place;
  };
  const Case cases[] = {{changed("\"jobs\":1", "\"jobs\":0"), "profiles[0].jobs"},
                        {changed("\"joules_per_step\":0.25", "\"joules_per_step\":-1"), "profiles[0].joules_per_step"},
                        {changed("612000000", "612"), "profiles[1].clock_hz"},
                        {changed("bert", "be\\u001brt"), "profiles[0]"},
                        {changed("sweetspot-profiles", "sweetspot-tree"), "not learned profiles"},
                        {changed("\"version\":1", "\"version\":2"), "version 2"}};
  for (const Case& one : cases) {
    const auto read = parse_profiles(one.text);
    ASSERT_FALSE(read) << one.text;
    EXPECT_NE(read.error().message.find(one.place), std::string::npos) << read.error().message;
  }
}

TEST(ProfilesText, KeepsTheNewestOfTooMany) {
  ProfileBook book;
  for (std::size_t i = 0; i <= most_profiles; ++i) {
    const auto learned = std::chrono::system_clock::time_point(std::chrono::hours(24 * 365 * 50 + i));
    static_cast<void>(book.learn({.layers = static_cast<std::int64_t>(i) + 1}, megahertz(612), 1, learned));
  }
  const auto read = parse_profiles(profiles_text(book));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->all().size(), most_profiles);
  EXPECT_FALSE(read->find({.layers = 1})) << "the oldest";
}

}  // namespace
}  // namespace sweetspot
