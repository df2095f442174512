// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/core/learned_profile.hpp"
#include "sweetspot/platform/shared_file.hpp"

namespace sweetspot {

/// Names a profile for people: eight hexadecimal digits that follow from its key.
[[nodiscard]] std::string profile_id(const ProfileKey& key);
/// A table for people, the newest last; `now` is for the age.
[[nodiscard]] std::string profiles_table(const ProfileBook& book, std::chrono::system_clock::time_point now);

/// `sweetspot profiles`: what jobs under policy adaptive learned, read and changed in the daemon's state folder.
class ProfilesCommand {
 public:
  explicit ProfilesCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] int list() const;
  [[nodiscard]] int forget() const;
  [[nodiscard]] int export_all() const;
  [[nodiscard]] int import_file() const;
  [[nodiscard]] SharedFile file() const;
  [[nodiscard]] Result<ProfileBook> book() const;

  Program& program_;
  std::string action_;
  std::vector<std::string> words_;  ///< ids to forget, or the file to import
  bool all_ = false;
  std::string output_;     ///< of export; empty: standard output
  std::string state_dir_;  ///< as given; empty: $STATE_DIRECTORY or the service's own
};

}  // namespace sweetspot
