// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/explain.hpp"

#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/client/known_boards.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/wire/record_json.hpp"

namespace sweetspot {

std::string decision_text(const Decision& decision, const std::vector<std::string>& notes) {
  std::string text =
      decided_clock(decision) + " (" + printable(decision.policy) + (decision.fallback ? ", fallback" : "") + ")\n";
  if (!decision.reason.empty()) text += "Why    " + printable(decision.reason) + "\n";
  bool first = true;
  for (const std::string& step : decision.path) {
    text += (first ? "Path   " : "       ") + printable(step) + "\n";
    first = false;
  }
  if (decision.clamped_from) text += "Wanted " + to_text(*decision.clamped_from) + "\n";
  for (const std::string& note : notes) text += "Note   " + printable(note) + "\n";
  return text;
}

ExplainCommand::ExplainCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "explain", "Says which clock a job would get, and why; starts nothing",
      "  sweetspot explain --model ./llama --seq-len 48\n"
      "  sweetspot explain --layers 12 --seq-len 48 --board agx-orin-64-jp6     (needs no service)\n"
      "--json: {\"decision\": …}",
      [this] { return run(); });
  add_spec_options(command, options_);
  std::string ids;
  for (const KnownBoard& board : known_boards()) ids += (ids.empty() ? "" : ", ") + std::string(board.id);
  command.add_option("--board", board_, "Answer alone, from this board's list of clocks: " + ids)->type_name("ID");
}

int ExplainCommand::run() {
  const auto spec = job_spec(options_);
  if (!spec) return fail_with_spec(spec.error(), "explain");
  return board_.empty() ? ask_daemon(*spec) : answer_alone(*spec);
}

int ExplainCommand::ask_daemon(const JobSpec& spec) {
  auto client = GovernorClient::connect(program_.socket_path());
  if (!client) {
    say("with --board ID this command needs no service");
    return fail_with(client.error());
  }
  const auto explained = client->explain(spec);
  if (!explained) return fail_with(explained.error());
  std::vector<std::string> notes;
  for (const std::string& field : explained->left_out) notes.push_back("this sweetspotd is too old to know " + field);
  return show(explained->decision, notes);
}

int ExplainCommand::answer_alone(const JobSpec& spec) {
  const auto board = known_board(board_);
  if (!board) return usage_error("--board: " + board.error().message, "explain");
  if (spec.policy == "tree") return fail_with({"policy tree needs the service, whose configuration names the tree"});
  const FrequencyTable table = table_of(*board);
  const BoardClocks clocks{.table = table, .cap = table.highest()};
  std::vector<std::string> notes{std::string(board->model) + ": default settings, no power mode's cap; clocks from " +
                                 std::string(board->source)};
  if (!board->uncertain.empty()) notes.push_back("uncertain: " + std::string(board->uncertain));
  return show(decide(spec, PolicySettings{}, &clocks), notes);
}

int ExplainCommand::show(const Decision& decision, const std::vector<std::string>& notes) const {
  if (!program_.json) return print(decision_text(decision, notes));
  for (const std::string& note : notes) say("note: " + note);
  return print("{\"decision\": " + decision_to_json(decision) + "}\n");
}

}  // namespace sweetspot
