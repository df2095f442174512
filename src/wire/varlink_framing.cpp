// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/varlink_framing.hpp"

namespace sweetspot {

void MessageReader::feed(std::string_view bytes) {
  if (too_long_) return;
  forget_taken();
  buffer_ += bytes;
}

MessageReader::Next MessageReader::next(std::string& message) {
  if (too_long_) return Next::too_long;
  const std::size_t end = buffer_.find('\0', scanned_);
  const bool complete = end != std::string::npos;
  const std::size_t length = (complete ? end : buffer_.size()) - begin_;
  if (length > limit_) {
    too_long_ = true;
    begin_ = scanned_ = 0;
    std::string().swap(buffer_);
    return Next::too_long;
  }
  if (!complete) {
    scanned_ = buffer_.size();
    forget_taken();
    return Next::incomplete;
  }
  message.assign(buffer_, begin_, length);
  begin_ = scanned_ = end + 1;
  return Next::message;
}

void MessageReader::forget_taken() {
  constexpr std::size_t idle_capacity = 4096;  // a thousand idle connections should not keep their largest message each
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    if (buffer_.capacity() > idle_capacity) std::string().swap(buffer_);
  } else {
    buffer_.erase(0, begin_);
  }
  scanned_ -= begin_;
  begin_ = 0;
}

}  // namespace sweetspot
