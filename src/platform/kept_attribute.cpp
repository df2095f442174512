// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/kept_attribute.hpp"

#include "platform/errno_text.hpp"

namespace sweetspot {

Result<std::string_view> KeptAttribute::read(std::span<char> buffer) const {
  if (file_) {
    auto text = file_->read(buffer);
    if (text || !device_is_gone(text.error().code)) return text;
    file_.reset();
  }
  auto file = board_->open(path_);
  if (!file) return tl::unexpected(file.error());
  file_ = std::move(*file);
  return file_->read(buffer);
}

}  // namespace sweetspot
