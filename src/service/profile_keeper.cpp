// SPDX-License-Identifier: Apache-2.0
#include "service/profile_keeper.hpp"

#include <sys/stat.h>

#include <utility>

#include "service/log.hpp"
#include "service/steady_now.hpp"
#include "sweetspot/wire/profiles_text.hpp"

namespace sweetspot {

ProfileKeeper::ProfileKeeper(const std::string& state_dir)
    : folder_(state_dir), file_(profiles_path(state_dir), longest_profiles_bytes) {}

ProfileKeeper::~ProfileKeeper() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Result<ProfileBook> ProfileKeeper::load() const {
  const auto text = file_.read();
  if (!text) return failure(Error(text.error()));
  if (!*text) return ProfileBook{};
  auto book = parse_profiles(**text);
  if (!book) return failure(std::move(book.error()).within(file_.path()));
  return book;
}

void ProfileKeeper::keep(std::vector<LearnedProfile> lessons) {
  if (lessons.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    for (LearnedProfile& lesson : lessons) waiting_.push_back(std::move(lesson));
  }
  changed_.notify_one();
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
}

std::optional<Instant> ProfileKeeper::writing_since() {
  const std::lock_guard lock(mutex_);
  return writing_since_;
}

void ProfileKeeper::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::vector<LearnedProfile> lessons = std::exchange(waiting_, {});
    writing_since_ = steady_now();
    lock.unlock();
    if (const auto written = write(lessons); !written)
      log_warning("what a job learned is not kept: " + written.error().message);
    lock.lock();
    writing_since_.reset();
  }
}

Result<void> ProfileKeeper::write(const std::vector<LearnedProfile>& lessons) const {
  (void)::mkdir(folder_.c_str(), 0750);  // where systemd has not made it
  return file_.change([&](const std::optional<std::string>& before) -> Result<std::string> {
    ProfileBook book;
    if (before) {
      auto kept = parse_profiles(*before);
      if (!kept) return failure(std::move(kept.error()).within(file_.path()));
      book = *std::move(kept);
    }
    for (const LearnedProfile& lesson : lessons) book.put(lesson);
    return profiles_text(book);
  });
}

}  // namespace sweetspot
