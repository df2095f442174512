// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/profiles_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sweetspot/core/clipped_text.hpp"
#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"
#include "wire/json_writer.hpp"

namespace sweetspot {
namespace {

constexpr std::string_view profiles_format = "sweetspot-profiles";
constexpr std::int64_t profiles_version = 1;

struct ProfileEntry {
  ProfileKey key;
  std::optional<Hertz> clock;
  std::int64_t jobs = 0;
  double joules_per_step = 0;
  std::optional<double> spread;
  std::chrono::system_clock::time_point learned;
};
void visit_fields(Either<ProfileEntry> auto& entry, auto&& visit) {
  visit("model_type", entry.key.model_type);
  visit("layers", entry.key.layers);
  visit("hidden_size", entry.key.hidden_size);
  visit("mean_sequence_length", entry.key.mean_length);
  visit("batch_size", entry.key.batch_size);
  visit("board", entry.key.board);
  visit("power_mode", entry.key.power_mode);
  visit("rails", entry.key.rails);
  visit("aim", entry.key.aim);
  visit("setup", entry.key.setup);
  visit("clock_hz", entry.clock);
  visit("jobs", entry.jobs);
  visit("joules_per_step", entry.joules_per_step);
  visit("spread", entry.spread);
  visit("learned", entry.learned);
}

struct ProfilesDocument {
  std::string format{profiles_format};
  std::int64_t version = profiles_version;
  std::vector<ProfileEntry> profiles;
};
void visit_fields(Either<ProfilesDocument> auto& document, auto&& visit) {
  visit("format", document.format);
  visit("version", document.version);
  visit("profiles", document.profiles);
}

/// Texts come into the terminal of whoever lists them.
FieldProblem problem_in(const ProfileEntry& entry, const std::string& place) {
  JobSpec as_spec;
  const ProfileKey& key = entry.key;
  for (const std::string* text : {&key.model_type, &key.board, &key.power_mode, &key.rails, &key.aim, &key.setup}) {
    as_spec.name = *text;
    if (const auto problem = problem_in(as_spec)) return JsonProblem{place, "texts: expected " + problem->expected};
  }
  for (const std::int64_t number : {key.layers, key.hidden_size, key.mean_length, key.batch_size})
    if (number < 0 || number > 1'000'000'000'000)
      return JsonProblem{place, "expected no number below 0 or beyond 10^12"};
  if (entry.clock && (entry.clock->value < 1'000'000 || entry.clock->value > 100'000'000'000))
    return JsonProblem{place + ".clock_hz", "expected a clock from 1 MHz to 100 GHz, or null"};
  if (entry.jobs < 1 || entry.jobs > 1'000'000'000) return JsonProblem{place + ".jobs", "expected at least 1"};
  if (!(entry.joules_per_step >= 1e-9 && entry.joules_per_step <= 1e12))
    return JsonProblem{place + ".joules_per_step", "expected joules above 0"};
  if (entry.spread && !(*entry.spread >= 0 && *entry.spread <= 100))
    return JsonProblem{place + ".spread", "expected a share from 0 to 100, or null"};
  return std::nullopt;
}

LearnedProfile profile_of(const ProfileEntry& entry) {
  LearnedProfile profile{.key = entry.key, .clock = entry.clock, .jobs = entry.jobs};
  profile.mean_log_joules = std::log(entry.joules_per_step);
  profile.sum_of_squares = entry.spread.value_or(0) * entry.spread.value_or(0) * static_cast<double>(entry.jobs - 1);
  profile.learned = entry.learned;
  return profile;
}

}  // namespace

std::string profiles_text(const ProfileBook& book) {
  ProfilesDocument document;
  for (const auto& [key, profile] : book.all())
    document.profiles.push_back(
        {key, profile.clock, profile.jobs, profile.joules_per_step(), profile.spread(), profile.learned});
  if (document.profiles.size() > most_profiles) {
    const auto newer = [](const ProfileEntry& a, const ProfileEntry& b) { return a.learned > b.learned; };
    std::sort(document.profiles.begin(), document.profiles.end(), newer);
    document.profiles.resize(most_profiles);
  }
  JsonWriter out;
  out.begin_object();
  visit_fields(document, FieldWriter{out});
  out.end_object();
  return out.take() + "\n";
}

Result<ProfileBook> parse_profiles(std::string_view text) {
  if (text.size() > longest_profiles_bytes) return failure("larger than learned profiles can be");
  const auto json = read_clean_json(text);
  if (!json) return failure(Error(json.error()));
  ProfilesDocument document;
  if (auto problem = read(*json, Place{}, UnknownKeys::ignored, document))
    return failure(to_error(*std::move(problem)));
  if (document.format != profiles_format)
    return failure("not learned profiles: the format is '" + clipped(document.format) + "'");
  if (document.version != profiles_version)
    return failure("version " + std::to_string(document.version) + " of learned profiles; this program reads version " +
                   std::to_string(profiles_version));
  if (document.profiles.size() > most_profiles)
    return failure("more than " + std::to_string(most_profiles) + " profiles");
  ProfileBook book;
  for (std::size_t i = 0; i < document.profiles.size(); ++i) {
    if (auto problem = problem_in(document.profiles[i], "profiles[" + std::to_string(i) + "]"))
      return failure(to_error(*std::move(problem)));
    book.put(profile_of(document.profiles[i]));
  }
  return book;
}

}  // namespace sweetspot
