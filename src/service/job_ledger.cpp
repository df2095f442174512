// SPDX-License-Identifier: Apache-2.0
#include "service/job_ledger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>

namespace sweetspot {
namespace {

// A name is the client's text: what would end the line must not get into it.
std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return line;
}

Result<std::string> read_all(int fd) {
  std::string text;
  std::array<char, 4096> chunk{};
  while (true) {
    const ssize_t n = ::read(fd, chunk.data(), chunk.size());
    if (n < 0) return failure(std::string("read running-jobs: ") + std::strerror(errno), errno);
    if (n == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<JobLedger::Opened> JobLedger::open(const std::string& runtime_dir) {
  const std::string path = runtime_dir + "/running-jobs";
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd) return failure("open " + path + ": " + std::strerror(errno), errno);
  auto text = read_all(fd.value());
  if (!text) return failure(std::move(text.error()));
  if (::ftruncate(fd.value(), 0) != 0) return failure("truncate " + path + ": " + std::strerror(errno), errno);
  return Opened{JobLedger(std::move(fd)), unfinished_jobs(*text)};
}

void JobLedger::started(const JobStarted& job) {
  ++running_;
  append("+" + std::to_string(job.job_id) + " job " + std::to_string(job.job_id) +
         (job.name ? " (" + one_line(*job.name) + ")" : "") + " of uid " + std::to_string(job.owner.uid) + ", pid " +
         std::to_string(job.owner.pid) + " (" + one_line(job.owner.comm) + ")\n");
}

void JobLedger::ended(JobId job) {
  if (--running_ > 0) return append("-" + std::to_string(job) + "\n");
  // Nobody runs: the file starts anew, so it never grows past the jobs of one busy spell.
  if (::ftruncate(fd_.value(), 0) != 0) append("-" + std::to_string(job) + "\n");
}

void JobLedger::append(const std::string& line) {
  // A full tmpfs costs a sentence after a crash, nothing else.
  [[maybe_unused]] const auto written = ::write(fd_.value(), line.data(), line.size());
}

std::vector<LostJob> unfinished_jobs(std::string_view ledger) {
  std::map<JobId, std::string> running;
  while (!ledger.empty()) {
    const std::size_t end = ledger.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = ledger.substr(0, end);
    ledger.remove_prefix(end + 1);
    if (line.size() < 2 || (line[0] != '+' && line[0] != '-')) continue;
    JobId id = 0;
    const auto [rest, status] = std::from_chars(line.data() + 1, line.data() + line.size(), id);
    if (status != std::errc{}) continue;
    const std::string_view sentence(rest, static_cast<std::size_t>(line.data() + line.size() - rest));
    if (line[0] == '-') {
      running.erase(id);
    } else if (sentence.size() > 1) {
      running[id] = std::string(sentence.substr(1));
    }
  }
  std::vector<LostJob> lost;
  lost.reserve(running.size());
  for (auto& [id, sentence] : running) lost.push_back({id, std::move(sentence)});
  return lost;
}

}  // namespace sweetspot
