// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/spec_json.hpp"

#include <gtest/gtest.h>

#include "wire/samples.hpp"

namespace sweetspot {
namespace {

TEST(SpecJson, ReadsBackAnySpec) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const JobSpec spec = Samples(seed).spec();
    EXPECT_EQ(spec_from_json(spec_to_json(spec)), spec) << "seed " << seed;
  }
}

TEST(SpecJson, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(spec_to_json(JobSpec{}), "{}");
  EXPECT_EQ(spec_to_json(JobSpec{.layers = 12}), R"({"layers":12})");
}

TEST(SpecJson, KeepsEveryByteOfATagsName) {
  const JobSpec spec{.tags = {{std::string("a\0b", 3), "c"}}};
  EXPECT_EQ(spec_from_json(spec_to_json(spec)), spec);
}

TEST(SpecJson, AllowsComments) {
  EXPECT_EQ(spec_from_json("{\n  // BERT-base\n  \"layers\": 12\n}"), (JobSpec{.layers = 12}));
}

TEST(SpecJson, ListsTheKnownKeysForAnUnknownOne) {
  const std::string message = spec_from_json(R"({"num_layers":12})").error().message;
  EXPECT_EQ(message,
            "num_layers: is not known here; known: name, model_type, layers, hidden_size, mean_sequence_length, "
            "batch_size, total_steps, policy, frequency_hz, objective, rails, max_slowdown, finish_within_s, "
            "energy_delay, pid, lease_s, "
            "tags");
}

TEST(SpecJson, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(spec_from_json(R"({"layers":"12"})").error().message,
            "layers: expected a whole number from -9223372036854775808 to 9223372036854775807, not the text '12'");
  EXPECT_EQ(spec_from_json(R"({"tags":{"a":1}})").error().message, "tags.a: expected a text, not 1");
  EXPECT_EQ(spec_from_json("{\"layers\":12,}").error().message, "layers: not JSON at byte 14");
}

TEST(SpecJson, KnowsItsKeys) {
  EXPECT_EQ(spec_keys().size(), 17U);
  EXPECT_EQ(spec_keys().front(), "name");
  EXPECT_EQ(spec_keys().back(), "tags");
}

}  // namespace
}  // namespace sweetspot
