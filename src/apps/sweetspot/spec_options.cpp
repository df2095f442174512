// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/spec_options.hpp"

#include <cerrno>
#include <map>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/wire/model_config.hpp"
#include "sweetspot/wire/spec_json.hpp"

namespace sweetspot {
namespace {

// A config.json is a few KiB; the largest known ones, with label lists of thousands of classes, stay under 1 MiB.
constexpr std::size_t longest_file = 4 * 1024 * 1024;

template <class T>
void override_with(std::optional<T>& field, const std::optional<T>& given) {
  if (given) field = given;
}

Result<void> read_spec_file(const std::string& path, JobSpec& spec) {
  auto text = whole_file(path, longest_file);
  if (!text) return failure(std::move(text.error()));
  auto read = spec_from_json(*text);
  if (!read) return failure(std::move(read.error()).within(path));
  spec = std::move(*read);
  return {};
}

Result<void> read_model(const std::string& given, JobSpec& spec) {
  const std::string path = is_folder(given) ? given + "/config.json" : given;
  auto text = whole_file(path, longest_file);
  if (!text) {
    // The name of a model at a hub is the likely mistake: nothing is fetched for it.
    Error error = std::move(text.error()).within("--model");
    error.message += "; name the folder that holds the model's config.json, or say --layers N instead";
    return failure(std::move(error));
  }
  auto shape = parse_model_config(*text);
  if (!shape) return failure(std::move(shape.error()).within(path));
  override_with(spec.model_type, shape->model_type);
  override_with(spec.hidden_size, shape->hidden_size);
  spec.layers = shape->layers;
  return {};
}

void override_plain_fields(const SpecOptions& options, JobSpec& spec) {
  override_with(spec.name, options.name);
  override_with(spec.layers, options.layers);
  override_with(spec.hidden_size, options.hidden_size);
  override_with(spec.mean_sequence_length, options.mean_sequence_length);
  override_with(spec.batch_size, options.batch_size);
  override_with(spec.total_steps, options.steps);
  override_with(spec.policy, options.policy);
  override_with(spec.objective, options.objective);
  override_with(spec.max_slowdown, options.max_slowdown);
  if (options.energy_delay) spec.energy_delay = true;
  if (!options.rails.empty()) spec.rails = options.rails;
}

// A mistake of the command line's own.
tl::unexpected<Error> wrong_option(const std::string& option, const std::string& problem) {
  return failure(option + ": " + problem, EINVAL);
}

Result<void> override_with_units(const SpecOptions& options, JobSpec& spec) {
  if (options.frequency) {
    auto clock = parse_frequency(*options.frequency);
    if (!clock) return wrong_option("--freq", clock.error().message);
    spec.frequency = *clock;
  }
  if (options.finish_within) {
    auto duration = parse_duration(*options.finish_within);
    if (!duration) return wrong_option("--finish-within", duration.error().message);
    spec.finish_within_s = in_seconds(*duration);
  }
  if (options.lease) {
    auto duration = parse_duration(*options.lease);
    if (!duration) return wrong_option("--lease", duration.error().message);
    spec.lease_s = in_seconds(*duration);
  }
  return {};
}

// A field as the command line calls it; a field that only a spec file can set keeps its own name.
std::string option_of(const std::string& field) {
  static const std::map<std::string, std::string> options{
      {"name", "--name"},
      {"layers", "--layers"},
      {"hidden_size", "--hidden-size"},
      {"mean_sequence_length", "--seq-len"},
      {"batch_size", "--batch-size"},
      {"total_steps", "--steps"},
      {"policy", "--policy"},
      {"frequency_hz", "--freq"},
      {"objective", "--objective"},
      {"rails", "--rails"},
      {"max_slowdown", "--max-slowdown"},
      {"finish_within_s", "--finish-within"},
      {"energy_delay", "--energy-delay"},
      {"lease_s", "--lease"},
  };
  const auto found = options.find(field);
  return found == options.end() ? field : found->second;
}

}  // namespace

void add_spec_options(CLI::App& command, SpecOptions& options) {
  const std::string group = "The job";
  const auto add = [&](const char* name, auto& value, const char* purpose, const char* type) {
    command.add_option(name, value, purpose)->group(group)->type_name(type);
  };
  add("--name", options.name, "What people call it", "TEXT");
  add("--model", options.model, "Hugging Face config.json, or its folder: layers, hidden size and type", "PATH");
  add("--layers", options.layers, "Transformer layers", "N");
  add("--hidden-size", options.hidden_size, "Width of the model", "N");
  add("--seq-len", options.mean_sequence_length, "Mean length of the tokenised, unpadded sequences", "TOKENS");
  add("--batch-size", options.batch_size, "Sequences per step", "N");
  add("--steps", options.steps, "Steps in all", "N");
  add("--policy", options.policy, "mlg, ffg, fixed, none, tree or adaptive; the service's own choice unless given",
      "NAME");
  add("--freq", options.frequency, "Clock for policy fixed: 612MHz, 0.612GHz or bare Hz", "CLOCK");
  add("--objective", options.objective, "Whose energy counts: gpu+cpu or module", "NAME");
  command.add_option("--rails", options.rails, "Rails to count instead, separated by commas")
      ->group(group)
      ->type_name("LABELS")
      ->delimiter(',')
      // One word each time: the next word is never taken for another rail.
      ->expected(1)
      ->take_all();
  add("--max-slowdown", options.max_slowdown,
      "Factor of the time at the highest clock that is acceptable; policy adaptive keeps it", "X");
  add("--finish-within", options.finish_within, "Deadline: 90, 90s, 20min, 2h; policy adaptive keeps it, given --steps",
      "TIME");
  command
      .add_flag("--energy-delay", options.energy_delay, "Least energy times time, not least energy; policy adaptive")
      ->group(group);
  add("--lease", options.lease, "Ends the job so long after its start or last progress", "TIME");
  add("--spec", options.spec_file, "JSON file with a whole JobSpec; the options above go before it", "FILE");
}

Result<JobSpec> job_spec(const SpecOptions& options) {
  JobSpec spec;
  if (options.spec_file) {
    if (auto read = read_spec_file(*options.spec_file, spec); !read) return failure(std::move(read.error()));
  }
  if (options.model) {
    if (auto read = read_model(*options.model, spec); !read) return failure(std::move(read.error()));
  }
  override_plain_fields(options, spec);
  if (auto done = override_with_units(options, spec); !done) return failure(std::move(done.error()));
  if (const auto problem = problem_in(spec))
    return wrong_option(option_of(problem->field), "expected " + problem->expected);
  return spec;
}

int fail_with_spec(const Error& error, const std::string& command) {
  return error.code == EINVAL ? usage_error(error.message, command) : fail_with(error);
}

}  // namespace sweetspot
