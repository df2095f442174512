// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>

#include "platform/errno_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/rails.hpp"

namespace sweetspot {
namespace {

Result<double> read_number(const OpenAttribute& file, const std::string& path) {
  std::array<char, 64> buffer;
  const auto text = file.read(buffer);
  if (!text) return tl::unexpected(text.error());
  auto number = parse_signed(*text);
  if (!number) return failure(std::move(number.error()).within("read " + path));
  return static_cast<double>(*number);
}

}  // namespace

Result<RailReader> RailReader::open(const Attributes& board, const RailSource& rail) {
  RailReader reader(board, rail);
  if (auto opened = reader.open_files(); !opened) return tl::unexpected(opened.error());
  return reader;
}

Result<void> RailReader::open_files() {
  files_.clear();
  for (const std::string& path : rail_.files) {
    auto file = board_->open(path);
    if (!file) {
      files_.clear();
      return tl::unexpected(file.error());
    }
    files_.push_back(std::move(*file));
  }
  return {};
}

Result<void> RailReader::find_again() {
  const RailsFound found = find_rails(*board_);
  const auto rail = std::find_if(found.rails.begin(), found.rails.end(), [this](const RailSource& candidate) {
    return candidate.device == rail_.device && candidate.label == rail_.label;
  });
  if (rail == found.rails.end()) {
    return failure("rail " + rail_.label + " at " + rail_.device + " is gone", ENODEV);
  }
  rail_ = *rail;
  return open_files();
}

Result<Watts> RailReader::read() {
  if (!files_.empty()) {
    auto power = read_files();
    if (power || !device_is_gone(power.error().code)) return power;
    files_.clear();
  }
  if (auto found = find_again(); !found) return tl::unexpected(found.error());
  return read_files();
}

Result<Watts> RailReader::read_files() const {
  const auto first = read_number(*files_.front(), rail_.files.front());
  if (!first) return tl::unexpected(first.error());
  switch (rail_.kind) {
    case RailKind::milliwatts:
      return Watts{*first / 1e3};
    case RailKind::microwatts:
      return Watts{*first / 1e6};
    case RailKind::volts_times_amperes:
      break;
  }
  const auto second = read_number(*files_.back(), rail_.files.back());
  if (!second) return tl::unexpected(second.error());
  return Watts{*first * *second / 1e6};
}

}  // namespace sweetspot
