// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sweetspot/core/learned_profile.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/shared_file.hpp"

namespace sweetspot {

/// Keeps what jobs learned in `profiles.json` of the state folder, without anybody waiting for a disk: a thread writes
/// what it is given into the file as it is then, so that what others changed there stays. All but the thread belongs to
/// the loop.
class ProfileKeeper {
 public:
  explicit ProfileKeeper(const std::string& state_dir);
  ~ProfileKeeper();
  ProfileKeeper(const ProfileKeeper&) = delete;
  ProfileKeeper& operator=(const ProfileKeeper&) = delete;

  /// What is kept; empty when there is no file. Blocks.
  [[nodiscard]] Result<ProfileBook> load() const;
  void keep(std::vector<LearnedProfile> lessons);
  /// Something is being written since then: a disk may hang.
  [[nodiscard]] std::optional<Instant> writing_since();

 private:
  void work();
  [[nodiscard]] Result<void> write(const std::vector<LearnedProfile>& lessons) const;

  std::string folder_;
  SharedFile file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<LearnedProfile> waiting_;  // guarded by mutex_, with all below
  std::optional<Instant> writing_since_;
  bool stop_ = false;
  std::thread thread_;  ///< from the first lesson on
};

}  // namespace sweetspot
