// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sweetspot {

/// The longest varlink message either side takes. A status of 1,024 jobs is longer, which is why clients read with
/// their own limit; a call never needs more.
inline constexpr std::size_t longest_call_bytes = 64 * 1024;
inline constexpr std::size_t longest_reply_bytes = 16 * 1024 * 1024;

/// Cuts a byte stream into varlink messages, each ended by a NUL byte. Owned by one connection, not thread-safe. Every
/// byte is looked at once and moved at most once. Drain it with next() after each feed(): it then holds at most `limit`
/// bytes plus what was fed last.
class MessageReader {
 public:
  explicit MessageReader(std::size_t limit = longest_call_bytes) : limit_(limit) {}

  /// `message`: one was taken; `incomplete`: feed more; `too_long`: over the limit, now and for ever: hang up.
  enum class Next { message, incomplete, too_long };

  void feed(std::string_view bytes);
  [[nodiscard]] Next next(std::string& message);
  /// What was fed and not taken, until the next call that is not const.
  [[nodiscard]] std::string_view rest() const { return std::string_view(buffer_).substr(begin_); }
  /// Bytes of a message that has not ended yet.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - begin_; }

 private:
  void forget_taken();

  std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0;    ///< start of the first message not taken yet
  std::size_t scanned_ = 0;  ///< no NUL between begin_ and here
  bool too_long_ = false;
};

}  // namespace sweetspot
