// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/varlink_framing.hpp"

#include <algorithm>
#include <vector>

#include "tests/fuzz/properties.hpp"

// The first byte chooses the longest message, the next ones how the stream is cut into pieces; the rest is the stream.
namespace sweetspot::fuzz {
namespace {

struct Taken {
  std::vector<std::string> messages;
  bool too_long = false;
  std::size_t pending = 0;
  friend bool operator==(const Taken&, const Taken&) = default;
};

/// What the protocol says, in its plainest form.
Taken expected(std::string_view stream, std::size_t limit) {
  Taken taken;
  while (true) {
    const std::size_t end = stream.find('\0');
    taken.too_long = std::min(end, stream.size()) > limit;
    taken.pending = taken.too_long ? 0 : stream.size();
    if (taken.too_long || end == std::string_view::npos) return taken;
    taken.messages.emplace_back(stream.substr(0, end));
    stream.remove_prefix(end + 1);
  }
}

void drain(MessageReader& reader, Taken& taken) {
  std::string message;
  MessageReader::Next next{};
  while ((next = reader.next(message)) == MessageReader::Next::message) taken.messages.push_back(message);
  taken.too_long = next == MessageReader::Next::too_long;
  taken.pending = reader.pending();
}

Taken in_pieces(std::string_view stream, std::size_t limit, std::size_t first_piece, std::size_t piece) {
  MessageReader reader(limit);
  Taken taken;
  std::size_t length = first_piece;
  while (!stream.empty()) {
    reader.feed(stream.substr(0, length));
    stream.remove_prefix(std::min(length, stream.size()));
    length = piece;
    drain(reader, taken);
    require(taken.pending <= limit, "no more is kept than a message may have");
  }
  return taken;
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  Choices choices(as_text(bytes, size));
  const std::size_t limit = choices.next();
  const std::size_t first_piece = 1U + choices.next();
  const std::size_t piece = 1U + choices.next() % 32U;
  const Taken wanted = expected(choices.rest(), limit);
  require(in_pieces(choices.rest(), limit, size + 1, 1) == wanted, "a stream in one piece is cut at its NUL bytes");
  require(in_pieces(choices.rest(), limit, first_piece, piece) == wanted, "how a stream arrives changes nothing");
  return 0;
}
