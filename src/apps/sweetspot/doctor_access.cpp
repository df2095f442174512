// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_access.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "sweetspot/platform/rails.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* service_group = "sweetspot";

std::string error_text(const FileAccess& file) {
  return file.path + ": " + std::generic_category().message(file.code);
}

std::string owner_and_mode(const FileAccess& file) {
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", static_cast<unsigned>(file.mode & 07777U));
  return file.owner + ":" + file.group + ", mode " + mode.data();
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

FileAccess look_at(const std::string& path) {
  FileAccess file{.path = path};
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) {
    file.code = errno;
    return file;
  }
  file.mode = about.st_mode;
  file.uid = about.st_uid;
  file.gid = about.st_gid;
  const passwd* user = ::getpwuid(about.st_uid);
  file.owner = user != nullptr ? std::string(user->pw_name) : std::to_string(about.st_uid);
  const group* owners = ::getgrgid(about.st_gid);
  file.group = owners != nullptr ? std::string(owners->gr_name) : std::to_string(about.st_gid);
  file.may_read = ::access(path.c_str(), R_OK) == 0;
  file.may_write = ::access(path.c_str(), W_OK) == 0;
  file.on_read_only_system = !file.may_write && errno == EROFS;
  return file;
}

Finding limit_file_finding(const FileAccess& file, const std::optional<GroupFacts>& service) {
  const std::string check = "write " + last_part(file.path);
  if (file.code != 0)
    return {Verdict::fail, check, error_text(file), "the node went away while it was looked at: try again"};
  const std::string state = " (" + owner_and_mode(file) + ")";
  if (file.on_read_only_system)
    return {Verdict::fail, check, file.path + ": the file system is read-only",
            "run sweetspotd on the host, not in a container; clients in containers use its socket"};
  const bool group_may = (file.mode & S_IWGRP) != 0 && file.gid != 0;
  if ((file.mode & S_IWOTH) != 0) return {Verdict::warn, check, "everybody may" + state, "sudo chmod o-w " + file.path};
  if (group_may && service && service->gid == file.gid)
    return {Verdict::ok, check, "the service's group may" + state, ""};
  if (group_may && service)
    return {Verdict::warn, check, "group " + file.group + " may, the service's group " + service->name + " not" + state,
            "sudo sweetspotd --grant-access " + service->name};
  if (group_may) return {Verdict::ok, check, "group " + file.group + " may" + state, ""};
  if (service)
    return {Verdict::warn, check, "root may, the service's group " + service->name + " not yet" + state,
            "sudo systemctl restart sweetspotd, or sudo sweetspotd --grant-access " + service->name};
  if (file.may_write) return {Verdict::ok, check, "this user may" + state, ""};
  return {Verdict::warn, check, "only root may" + state, "run sweetspotd as root, or install its package"};
}

Finding readable_finding(const std::vector<FileAccess>& files) {
  std::string refused;
  std::string first;
  for (const FileAccess& file : files) {
    if (file.code == 0 && file.may_read) continue;
    if (first.empty()) first = file.path;
    refused += (refused.empty() ? "" : "; ") +
               (file.code != 0 ? error_text(file) : file.path + " (" + owner_and_mode(file) + ")");
  }
  if (refused.empty()) return {Verdict::ok, "read access", "to all " + std::to_string(files.size()) + " files", ""};
  return {Verdict::fail, "read access", "this user may not read " + refused, "sudo chmod a+r " + first};
}

Finding socket_finding(const FileAccess& socket) {
  const std::string check = "socket";
  if (socket.code == ENOENT)
    return {Verdict::warn, check, error_text(socket), "sudo systemctl enable --now sweetspotd.socket"};
  if (socket.code != 0) return {Verdict::fail, check, error_text(socket), "sudo systemctl restart sweetspotd.socket"};
  const std::string state = socket.path + " (" + owner_and_mode(socket) + ")";
  if (!S_ISSOCK(socket.mode))
    return {Verdict::fail, check, socket.path + " is no socket",
            "sudo rm -r " + socket.path + " && sudo systemctl restart sweetspotd.socket"};
  if (!socket.may_write)
    return {Verdict::warn, check, "this user may not connect: " + state,
            "sudo usermod -aG " + socket.group + " $USER, then log in again"};
  if ((socket.mode & S_IWOTH) != 0)
    return {Verdict::warn, check, "everybody may connect: " + state,
            "sudo systemctl restart sweetspotd.socket, which makes it anew for its group"};
  return {Verdict::ok, check, state, ""};
}

Finding runtime_folder_finding(const FileAccess& folder) {
  const std::string check = "runtime folder";
  if (folder.code == ENOENT)
    return {Verdict::skip, check, folder.path + " is not there: the service has not run yet", ""};
  if (folder.code != 0) return {Verdict::skip, check, error_text(folder), ""};
  const std::string state = folder.path + " (" + owner_and_mode(folder) + ")";
  if (!S_ISDIR(folder.mode)) return {Verdict::fail, check, folder.path + " is no folder", "sudo rm " + folder.path};
  if ((folder.mode & (S_IWGRP | S_IWOTH)) != 0)
    return {Verdict::fail, check, "others may write to it: " + state, "sudo chmod 0700 " + folder.path};
  return {Verdict::ok, check, state, ""};
}

std::vector<Finding> access_findings(const FileAttributes& board, const GpuNode& gpu) {
  const auto service = group_called(service_group);
  const std::string node = board.root() + gpu.devfreq_dir;
  std::vector<Finding> findings;
  for (const char* file : {"/min_freq", "/max_freq"})
    findings.push_back(limit_file_finding(look_at(node + file), service));
  std::vector<FileAccess> files;
  for (const char* file : {"/min_freq", "/max_freq", "/cur_freq", "/governor", "/available_frequencies"}) {
    if (board.exists(gpu.devfreq_dir + file)) files.push_back(look_at(node + file));
  }
  for (const auto& file : {gpu.load_file, gpu.railgate_file}) {
    if (file) files.push_back(look_at(board.root() + *file));
  }
  for (const RailSource& rail : find_rails(board).rails) {
    for (const std::string& file : rail.files) files.push_back(look_at(board.root() + file));
  }
  findings.push_back(readable_finding(files));
  return findings;
}

}  // namespace sweetspot
