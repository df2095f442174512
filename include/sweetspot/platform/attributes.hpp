// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// One attribute that stays open, for values read many times a second.
class OpenAttribute {
 public:
  virtual ~OpenAttribute() = default;
  /// One read into `buffer`; the text without its final newline lies inside `buffer`. Error::code is the errno; ENODEV
  /// means the device went away and the attribute has to be found again.
  [[nodiscard]] virtual Result<std::string_view> read(std::span<char> buffer) const = 0;
};

/// The one seam between this program and the board: every file of /sys, /etc and /var that describes the board is read
/// and written through it. Paths are absolute and as on the board ("/sys/…"); an implementation may keep them
/// elsewhere. Calls may block for seconds (a GPU that powers up, a slow I2C bus): never use one on the event loop's
/// thread.
class Attributes {
 public:
  virtual ~Attributes() = default;

  /// The whole text, by one pread, without its final newline (NUL bytes of device tree texts stay).
  [[nodiscard]] virtual Result<std::string> read(const std::string& path) const = 0;
  /// `text` and a newline in one write(2): the kernel takes every write as a store of its own.
  [[nodiscard]] virtual Result<void> write(const std::string& path, const std::string& text) = 0;
  /// Names in a folder, sorted, without "." and "..".
  [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;
  /// The path with every symlink resolved, still as on the board.
  [[nodiscard]] virtual Result<std::string> real_path(const std::string& path) const = 0;
  [[nodiscard]] virtual bool exists(const std::string& path) const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const = 0;
  /// Whether anybody, this process included, wrote the file since the last call for it. Empty at the first call and
  /// where it cannot be known. A no is weak: writers behind another mount of sysfs are not seen.
  [[nodiscard]] virtual std::optional<bool> written_since_last_asked(const std::string& path) = 0;
};

/// The real files below `root` ("" = the running system): open, pread, write. Errors read
/// "write /sys/…/min_freq: 918000000: Invalid argument". Folders of /sys are found once and held by descriptors, which
/// spare the walk along the path; what is not found through one is looked for by its path. An instance belongs to one
/// thread.
class FileAttributes final : public Attributes {
 public:
  explicit FileAttributes(std::string root = {});

  [[nodiscard]] Result<std::string> read(const std::string& path) const override;
  [[nodiscard]] Result<void> write(const std::string& path, const std::string& text) override;
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override;
  [[nodiscard]] Result<std::string> real_path(const std::string& path) const override;
  [[nodiscard]] bool exists(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const override;
  [[nodiscard]] std::optional<bool> written_since_last_asked(const std::string& path) override;

  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  struct Watch {
    int id = -1;
    bool written = false;
  };
  void collect_writes();
  [[nodiscard]] Result<UniqueFd> open_file(const std::string& path, const std::string& shown, int flags) const;
  [[nodiscard]] int find_folder(const std::string& folder) const;

  std::string root_;
  mutable std::map<std::string, UniqueFd> folders_;  ///< of /sys, by path
  UniqueFd inotify_;
  std::map<std::string, Watch> watches_;
};

}  // namespace sweetspot
