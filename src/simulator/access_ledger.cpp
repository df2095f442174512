// SPDX-License-Identifier: Apache-2.0
#include "simulator/access_ledger.hpp"

#include "simulator/errno_names.hpp"

namespace sweetspot {

namespace {

std::string escaped(std::string_view value) {
  if (!value.empty() && value.back() == '\n') value.remove_suffix(1);
  if (value.empty()) return "\\x";
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7f && c != '\\') {
      text += c;
    } else {
      text += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return text;
}

}  // namespace

Fate AccessLedger::count(const std::string& program) {
  ++counts_[program];
  if (!order_ || (!order_->program.empty() && order_->program != program)) return Fate::lives;
  if (++matching_ < order_->nth) return Fate::lives;
  const Fate fate = order_->fate;
  order_.reset();
  return fate;
}

void AccessLedger::order(KillOrder order) {
  restart();
  order_ = std::move(order);
}

void AccessLedger::restart() {
  counts_.clear();
  matching_ = 0;
}

std::string AccessLedger::accesses_text() const {
  std::string text;
  for (const auto& [program, count] : counts_) text += program + " " + std::to_string(count) + "\n";
  return text;
}

std::string AccessLedger::writes_text() const {
  std::string text;
  for (const auto& record : writes_) {
    text += record.path + " " + escaped(record.value) + " " + errno_name(record.code) + " " + record.program + "\n";
  }
  return text;
}

}  // namespace sweetspot
