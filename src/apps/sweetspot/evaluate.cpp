// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/evaluate.hpp"

#include <algorithm>

#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/evaluate_text.hpp"
#include "apps/sweetspot/tree_input.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

Result<Contender> tree_contender(const std::string& name, const std::string& path) {
  auto file = read_tree_file(path);
  if (!file) return failure(std::move(file.error()));
  Contender contender{.name = name, .policy = Policy::tree};
  contender.settings.tree = std::move(file->tree);
  return contender;
}

}  // namespace

Result<Contender> contender_named(const std::string& name) {
  using Choice = Contender::Choice;
  if (name == "oracle") return Contender{.name = name, .choice = Choice::oracle};
  if (name == "max") return Contender{.name = name, .choice = Choice::highest};
  if (name == "adaptive") return Contender{.name = name, .choice = Choice::adaptive, .policy = Policy::mlg};
  if (name == "none" || name == "ffg" || name == "mlg") return Contender{.name = name, .policy = *policy_named(name)};
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : name.substr(colon + 1);
  if (kind == "tree" && !rest.empty()) return tree_contender(name, rest);
  if (kind == "fixed" && !rest.empty()) {
    const auto clock = parse_frequency(rest);
    if (!clock) return failure(clock.error());
    return Contender{.name = name, .policy = Policy::fixed, .clock = *clock};
  }
  return failure("'" + name +
                 "' is no policy here; expected none, ffg, mlg, adaptive, tree:FILE, fixed:HZ, oracle or max");
}

EvaluateCommand::EvaluateCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "evaluate", "Replays measured curves through the policies; needs no service",
      "  sweetspot evaluate --curves curves.csv\n"
      "  sweetspot evaluate --curves curves.csv --policies mlg,fixed:612MHz,tree:tree.json,oracle\n"
      "  sweetspot evaluate --curves curves.csv --max-slowdown 1.2 --json\n"
      "The file is CSV, one run per row, as `docs/evaluate.md` describes it.\n"
      "--json: {\"curves\": [{\"curve_id\", \"policy\", \"frequency_hz\", \"regret\", …}], \"summary\": [{\"policy\", "
      "\"regret_mean\", …}], …};\n"
      "shares of 1, null where the file lacks the figure.",
      [this] { return run(); });
  command.add_option("--curves", curves_, "Measured energies, and perhaps times, against the clock")
      ->type_name("FILE.csv")
      ->required();
  command
      .add_option("--policies", policies_,
                  "What to compare: none, ffg, mlg, adaptive (starts as mlg, then measures joules per step), "
                  "tree:FILE, fixed:HZ, "
                  "oracle (the best clock measured), max (the highest)")
      ->delimiter(',')
      ->type_name("LIST");
  command
      .add_option("--noise", noise_,
                  "Relative standard deviation of the joules measured over 10 steps; only policies that measure see it")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("S");
  command.add_option("--seeds", seeds_, "How often each curve is replayed with other noise")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N");
  command.add_option("--steps", steps_, "Length of the job; else the curve's own, else 1000")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  command.add_option("--max-slowdown", max_slowdown_, "Factor of the fastest time that is acceptable")
      ->check(CLI::Range(1.0, 1000.0))
      ->type_name("X");
}

int EvaluateCommand::run() {
  EvaluationSettings settings{.steps = steps_, .noise = noise_, .seeds = seeds_, .max_slowdown = max_slowdown_};
  for (const std::string& name : policies_) {
    auto contender = contender_named(name);
    if (!contender) return usage_error("--policies: " + contender.error().message, "evaluate");
    const auto same = [&name](const Contender& other) { return other.name == name; };
    if (std::any_of(settings.contenders.begin(), settings.contenders.end(), same))
      return usage_error("--policies: " + name + " stands there twice", "evaluate");
    settings.contenders.push_back(std::move(*contender));
  }
  const auto input = read_curves(curves_);
  if (!input) return fail_with(input.error());
  settings.tables = tables_for(input->curves);
  const auto measures = [](const Contender& each) { return each.choice == Contender::Choice::adaptive; };
  const bool any = std::any_of(settings.contenders.begin(), settings.contenders.end(), measures);
  if (!any && (noise_ > 0 || seeds_ > 1))
    say("note: none of these policies measures joules to find its clock, so noise and seeds change nothing");
  return show(evaluate(input->curves, settings));
}

int EvaluateCommand::show(const Evaluation& evaluation) const {
  return print(program_.json ? evaluation_json(evaluation) + "\n" : evaluation_text(evaluation));
}

}  // namespace sweetspot
