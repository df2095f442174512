// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/recording.hpp"

namespace sweetspot {

/// A board that keeps what was read of it: the first read of a file goes to the board, later ones answer the same.
/// Whatever discovery looks at through it is therefore what a recording has to hold, and no more. Notes the symlinks on
/// the way to each file. Never writes. One thread; reads may block as those of the board do.
class BoardSnapshot final : public Attributes {
 public:
  explicit BoardSnapshot(const FileAttributes& board) : board_(board) {}

  [[nodiscard]] Result<std::string> read(const std::string& path) const override;
  /// Refused with EROFS.
  [[nodiscard]] Result<void> write(const std::string& path, const std::string& text) override;
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override;
  [[nodiscard]] Result<std::string> real_path(const std::string& path) const override;
  [[nodiscard]] bool exists(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const override;
  [[nodiscard]] std::optional<bool> written_since_last_asked(const std::string& path) override;

  /// All that was read, real paths, as it was.
  [[nodiscard]] const Recording& seen() const { return seen_; }

 private:
  [[nodiscard]] Result<std::string> walk(const std::string& path) const;
  [[nodiscard]] Result<std::string> step(const std::string& folder, const std::string& name, int& links_left) const;

  const FileAttributes& board_;
  mutable Recording seen_;
};

/// A recorded board, ready to be sent to others.
struct RecordedBoard {
  std::string name;                     ///< of its folder: "p3737-0000+p3701-0005-l4t-36.4.7"
  Recording files;                      ///< anonymised
  std::string discovery;                ///< discovery_text() of exactly these files
  std::size_t secrets = 0;              ///< how many different identifiers were taken out
  std::vector<std::string> unreadable;  ///< files that exist and could not be read, with the errno's name
  bool has_gpu = false;
};

/// Copies what discovery looks at, and the neighbourhood that a simulator needs to play the board: limits, table and
/// governor of every devfreq node, nvgpu's power gating, all channels of the power monitors, thermal zones and cooling
/// devices. Reads each file once; writes nothing; files are named one by one, since reading an unknown sysfs file can
/// wake or hang a device. ENODEV: nothing here looks like a Jetson.
[[nodiscard]] Result<RecordedBoard> record_board(const FileAttributes& board);

}  // namespace sweetspot
