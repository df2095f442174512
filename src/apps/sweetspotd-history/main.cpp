// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/store/history_writer.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "sweetspot/wire/spec_json.hpp"

// sweetspotd-history STATE_DIR KEEP_DAYS SIZE_MIB: the part of the daemon that writes the history, in a process of its
// own, so that neither SQLite's memory nor a disk that hangs stays with the daemon. Started by it and by nobody else:
// batches of jobs come in, two lines each (record, spec) and an empty line at the end; one line goes out when a batch
// is on the disk ("kept") or cannot get there (the reason). It ends with its input.
namespace sweetspot {
namespace {

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::vector<PastJob>> jobs_of(const std::vector<std::string>& lines) {
  std::vector<PastJob> jobs;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    auto record = record_from_json(lines[i]);
    if (!record) return failure(std::move(record.error()));
    auto spec = spec_from_json(lines[i + 1]);
    if (!spec) return failure(std::move(spec.error()));
    jobs.push_back({.record = *std::move(record), .spec = *std::move(spec)});
  }
  return jobs;
}

class Scribe {
 public:
  Scribe(std::string state_dir, HistoryBounds bounds) : state_dir_(std::move(state_dir)), bounds_(bounds) {}

  Result<void> write(const std::vector<std::string>& lines) {
    auto jobs = jobs_of(lines);
    if (!jobs) return failure(std::move(jobs.error()));
    if (!writer_) {
      auto opened = HistoryWriter::open(state_dir_, bounds_);
      if (!opened) return failure(std::move(opened.error()));
      writer_ = *std::move(opened);
    }
    auto added = writer_->add(*jobs, std::chrono::system_clock::now());
    if (!added) writer_.reset();  // a file that was mended or moved away is found anew
    return added;
  }

 private:
  std::string state_dir_;
  HistoryBounds bounds_;
  std::optional<HistoryWriter> writer_;
};

void answer(const Result<void>& written) {
  std::string line = written ? "kept" : written.error().message;
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  // A stop of the unit reaches every process; this one ends when the daemon has said all.
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);
  const auto days = argc == 4 ? number_in(argv[2]) : std::nullopt;
  const auto mebibytes = argc == 4 ? number_in(argv[3]) : std::nullopt;
  if (!days || !mebibytes) {
    std::fputs("sweetspotd-history is sweetspotd's own and takes STATE_DIR KEEP_DAYS SIZE_MIB\n", stderr);
    return 2;
  }
  HistoryBounds bounds;
  if (*days > 0) bounds.age = std::chrono::hours(24) * *days;
  if (*mebibytes > 0) bounds.bytes = *mebibytes * 1024 * 1024;
  Scribe scribe(argv[1], bounds);
  std::ios::sync_with_stdio(false);
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) {
      lines.push_back(std::move(line));
      continue;
    }
    answer(scribe.write(lines));
    lines.clear();
  }
  return 0;
}

}  // namespace
}  // namespace sweetspot

int main(int argc, char** argv) {
  return sweetspot::run(argc, argv);
}
