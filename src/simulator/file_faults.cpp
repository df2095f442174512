// SPDX-License-Identifier: Apache-2.0
#include "simulator/file_faults.hpp"

namespace sweetspot {

void FileFaults::fail(const std::string& path, AccessKind kind, int code, std::optional<int> count) {
  Fault& fault = faults_[path].by_kind[kind];
  fault.code = code;
  fault.left = count;
}

void FileFaults::block(const std::string& path, AccessKind kind, Instant until) {
  faults_[path].by_kind[kind].until = until;
}

void FileFaults::slow(const std::string& path, AccessKind kind, Duration delay) {
  faults_[path].by_kind[kind].delay = delay;
}

void FileFaults::freeze(const std::string& path, std::string text) {
  faults_[path].text = std::move(text);
}

int FileFaults::take_error(const std::string& path, AccessKind kind) {
  const auto file = faults_.find(path);
  if (file == faults_.end()) return 0;
  const auto found = file->second.by_kind.find(kind);
  if (found == file->second.by_kind.end()) return 0;
  Fault& fault = found->second;
  if (!fault.left) return fault.code;
  if (*fault.left == 0) return 0;
  --*fault.left;
  return fault.code;
}

std::optional<Instant> FileFaults::held_until(const std::string& path, AccessKind kind, Instant now) const {
  const auto file = faults_.find(path);
  if (file == faults_.end()) return std::nullopt;
  const auto found = file->second.by_kind.find(kind);
  if (found == file->second.by_kind.end()) return std::nullopt;
  const Fault& fault = found->second;
  if (fault.until && *fault.until > now) return fault.until;
  if (fault.delay.count() > 0) return now + fault.delay;
  return std::nullopt;
}

std::optional<std::string> FileFaults::frozen(const std::string& path) const {
  const auto file = faults_.find(path);
  return file == faults_.end() ? std::nullopt : file->second.text;
}

}  // namespace sweetspot
