// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/record_board.hpp"

#include <algorithm>
#include <cerrno>

#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/platform/ustar.hpp"
#include "sweetspot/wire/recording_json.hpp"

namespace sweetspot {
namespace {

std::string comment_for(const std::string& sysfs_root) {
  const std::string by = "Recorded by sweetspot " SWEETSPOT_VERSION ", anonymised; ";
  return by + (sysfs_root.empty() ? "on the running system." : "below another root: a simulated board, or a copy.");
}

std::size_t links_in(const Recording& files) {
  return static_cast<std::size_t>(std::count_if(
      files.begin(), files.end(), [](const auto& entry) { return entry.second.kind == RecordedEntry::Kind::link; }));
}

}  // namespace

std::string recording_archive(const RecordedBoard& board, const std::string& comment) {
  constexpr unsigned text_mode = 0644;
  UstarWriter tar;
  tar.add_file(board.name + "/tree.txt", recording_text(board.files, comment), text_mode);
  tar.add_file(board.name + "/expected.txt", board.discovery, text_mode);
  for (const auto& [path, entry] : board.files) {
    if (entry.kind == RecordedEntry::Kind::link) {
      tar.add_link(board.name + path, entry.text);
    } else if (entry.code == 0) {
      tar.add_file(board.name + path, file_bytes(entry), entry.mode);
    }
  }
  return tar.take();
}

std::string recording_summary(const RecordedBoard& board, const std::string& file) {
  const std::size_t links = links_in(board.files);
  std::string text = "wrote " + file + ": " + std::to_string(board.files.size() - links) + " files and " +
                     std::to_string(links) + " links of " + board.name + "\n";
  for (const std::string& path : board.unreadable) text += "not readable, noted as such: " + path + "\n";
  if (!board.has_gpu)
    text +=
        "no GPU node is there yet; to have it in the recording, run any CUDA program once and record again with "
        "--force\n";
  text += std::to_string(board.secrets) + " identifiers were taken out. All that is in it: tar -xOf " + file + " " +
          board.name + "/tree.txt\n";
  return text;
}

RecordBoardCommand::RecordBoardCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "record-board", "Copies what describes this board into a small archive, without serial numbers",
      "  sudo sweetspot record-board -o my-board.tar\n"
      "  sweetspot-sim mount --board my-board.tar DIR       (plays the recorded board)\n"
      "  tar -xf my-board.tar -C tests/data                 (makes it a test)\n"
      "The archive holds the files of /sys, /etc and /var that sweetspotd looks at: names, clocks, limits, rails,\n"
      "temperatures. MAC addresses, UUIDs, serial numbers and the host's name are replaced; model and power modes "
      "stay.\n"
      "As root more can be read. Nothing is changed on the board.\n"
      "Exit status: 0 written, 1 not written, 3 this is no Jetson.",
      [this] { return run(); });
  command.add_option("-o,--output", output_, "Archive to write")->type_name("FILE.tar")->required();
  command.add_flag("--force", force_, "Replace FILE.tar when it exists");
  command.add_option("--sysfs-root", sysfs_root_, "Folder that holds the board's sys/ and etc/, for boards elsewhere")
      ->type_name("DIR");
}

int RecordBoardCommand::run() {
  const FileAttributes board(sysfs_root_);
  const auto recorded = record_board(board);
  if (!recorded) {
    say(recorded.error().message);
    return recorded.error().code == ENODEV ? ExitCode::no_hardware : ExitCode::failure;
  }
  const std::string archive = recording_archive(*recorded, comment_for(sysfs_root_));
  const auto written = force_ ? replace_file(output_, archive) : create_file(output_, archive);
  if (!written && written.error().code == EEXIST && !force_)
    return fail_with({written.error().message + "; --force replaces it", EEXIST});
  if (!written) return fail_with(written.error());
  if (!program_.json) return print(recording_summary(*recorded, output_));
  const std::size_t links = links_in(recorded->files);
  return print(recording_report_json({.file = output_,
                                      .name = recorded->name,
                                      .files = recorded->files.size() - links,
                                      .links = links,
                                      .identifiers_removed = recorded->secrets,
                                      .unreadable = recorded->unreadable,
                                      .has_gpu = recorded->has_gpu}) +
               "\n");
}

}  // namespace sweetspot
