// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/curve_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analysis/csv_reader.hpp"
#include "analysis/letters.hpp"
#include "sweetspot/core/clipped_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

using TextMember = std::string Curve::*;
using CountMember = std::optional<std::int64_t> Curve::*;

struct TextColumn {
  std::string_view name;
  TextMember member;
};
constexpr std::array text_columns{
    TextColumn{"platform", &Curve::platform},     TextColumn{"kind", &Curve::kind},
    TextColumn{"workload", &Curve::workload},     TextColumn{"model_type", &Curve::model_type},
    TextColumn{"power_mode", &Curve::power_mode}, TextColumn{"energy_scope", &Curve::energy_scope},
    TextColumn{"source", &Curve::source}};

struct CountColumn {
  std::string_view name;
  CountMember member;
};
constexpr std::array count_columns{
    CountColumn{"layers", &Curve::layers}, CountColumn{"hidden_size", &Curve::hidden_size},
    CountColumn{"batch_size", &Curve::batch_size}, CountColumn{"total_steps", &Curve::total_steps}};

constexpr std::string_view id_column = "curve_id";
constexpr std::string_view length_column = "mean_sequence_length";
constexpr std::string_view clock_column = "gpu_freq_mhz";
constexpr std::string_view energy_column = "energy_j";
constexpr std::string_view time_column = "time_s";
constexpr std::string_view load_column = "mean_gpu_load_percent";
constexpr std::string_view valid_column = "valid";
constexpr std::string_view default_governor = "MAXN";

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  const std::string shown = clipped(text, most);
  std::string out = "'";
  // What is shown goes to a terminal, or into JSON.
  for (std::string_view rest = shown; !rest.empty();) {
    const auto [letter, can_be_shown] = first_letter(rest);
    rest.remove_prefix(letter.size());
    out += can_be_shown && letter != "\n" && letter != "\t" ? letter : "?";
  }
  return out + "'";
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One row with the places of its columns.
class Row {
 public:
  Row(const std::vector<std::string_view>& fields, const std::map<std::string, std::size_t, std::less<>>& columns,
      std::size_t line)
      : fields_(fields), columns_(columns), line_(line) {}

  /// Empty where the file has no such column, too.
  [[nodiscard]] std::string_view text(std::string_view column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? std::string_view() : fields_[found->second];
  }
  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view column, const std::string& expected) const {
    const std::string_view value = text(column);
    return failure(csv_place(line_, columns_.find(column)->second + 1, column) + ": expected " + expected + ", not " +
                   (value.empty() ? "nothing" : quoted(value)));
  }
  /// A number above 0; empty for an empty field.
  [[nodiscard]] Result<std::optional<double>> positive(std::string_view column, const std::string& expected) const {
    const std::string_view value = text(column);
    if (value.empty()) return std::nullopt;
    const auto number = number_in<double>(value);
    if (!number || !(*number > 0) || !std::isfinite(*number)) return refuse(column, expected);
    return *number;
  }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  const std::vector<std::string_view>& fields_;
  const std::map<std::string, std::size_t, std::less<>>& columns_;
  std::size_t line_;
};

/// What is the same in all rows of a curve.
Result<void> read_head(const Row& row, Curve& curve) {
  for (const TextColumn& column : text_columns) curve.*column.member = row.text(column.name);
  for (const CountColumn& column : count_columns) {
    const std::string_view text = row.text(column.name);
    if (text.empty()) continue;
    const auto number = number_in<std::int64_t>(text);
    constexpr std::int64_t most = 1'000'000'000'000;
    if (!number || *number < 1 || *number > most) return row.refuse(column.name, "a whole number from 1, or nothing");
    curve.*column.member = *number;
  }
  const auto length = row.positive(length_column, "a number of tokens above 0, or nothing");
  if (!length) return failure(length.error());
  curve.mean_sequence_length = *length;
  return {};
}

/// Whether a row says of its curve what the curve's first row said.
Result<void> compare_heads(const Row& row, const Curve& first) {
  Curve curve;
  if (auto head = read_head(row, curve); !head) return head;
  const std::string as_before = " as in the curve's first row";
  for (const TextColumn& column : text_columns) {
    if (curve.*column.member != first.*column.member)
      return row.refuse(column.name, quoted(first.*column.member) + as_before);
  }
  const auto shown = [&as_before](const auto& value) {
    return (value ? number_text(static_cast<double>(*value)) : "nothing") + as_before;
  };
  for (const CountColumn& column : count_columns) {
    if (curve.*column.member != first.*column.member) return row.refuse(column.name, shown(first.*column.member));
  }
  if (curve.mean_sequence_length != first.mean_sequence_length)
    return row.refuse(length_column, shown(first.mean_sequence_length));
  return {};
}

Result<Hertz> clock_of(const Row& row) {
  constexpr double most_mhz = 100'000;
  const auto mhz = number_in<double>(row.text(clock_column));
  if (!mhz || !(*mhz >= 1 && *mhz <= most_mhz))
    return row.refuse(clock_column, "a clock in MHz such as 612 or 1300.5, or MAXN");
  return megahertz(*mhz);
}

Result<void> add_measurement(const Row& row, CurvePoint& point) {
  const auto energy = row.positive(energy_column, "joules above 0");
  if (!energy) return failure(energy.error());
  if (!*energy) return row.refuse(energy_column, "joules above 0");
  const auto time = row.positive(time_column, "seconds above 0, or nothing");
  if (!time) return failure(time.error());
  const std::string_view load = row.text(load_column);
  if (!load.empty()) {
    const auto percent = number_in<double>(load);
    if (!percent || !(*percent >= 0 && *percent <= 100))
      return row.refuse(load_column, "per cent from 0 to 100, or nothing");
    point.load_percent.add(*percent);
  }
  point.energy_j.add(**energy);
  if (!*time) return {};
  point.time_s.add(**time);
  point.power_w.add(**energy / **time);
  return {};
}

/// All curves of a file as they grow.
class CurveCollection {
 public:
  Result<void> add(const Row& row) {
    const std::string_view valid = row.text(valid_column);
    if (valid == "false" || valid == "0") return {};
    if (!valid.empty() && valid != "true" && valid != "1") return row.refuse(valid_column, "true, false or nothing");
    auto curve = curve_of(row);
    if (!curve) return failure(std::move(curve.error()));
    if (row.text(clock_column) == default_governor) {
      auto& point = (*curve)->curve.default_governor;
      if (!point) point.emplace();
      return add_measurement(row, *point);
    }
    const auto clock = clock_of(row);
    if (!clock) return failure(clock.error());
    CurvePoint& point = (*curve)->points[*clock];
    point.clock = *clock;
    return add_measurement(row, point);
  }

  std::vector<Curve> take() {
    std::vector<Curve> curves;
    curves.reserve(growing_.size());
    for (Growing& each : growing_) {
      each.curve.points.reserve(each.points.size());
      for (auto& [clock, point] : each.points) each.curve.points.push_back(point);
      curves.push_back(std::move(each.curve));
    }
    return curves;
  }

 private:
  struct Growing {
    Curve curve;
    std::map<Hertz, CurvePoint> points;
  };

  Result<Growing*> curve_of(const Row& row) {
    const std::string_view id = row.text(id_column);
    if (id.empty()) return row.refuse(id_column, "the name of a curve");
    const auto [place, is_new] = by_id_.try_emplace(std::string(id), growing_.size());
    if (!is_new) {
      Growing& known = growing_[place->second];
      if (auto same = compare_heads(row, known.curve); !same) return failure(std::move(same.error()));
      return &known;
    }
    Growing& added = growing_.emplace_back();
    added.curve.id = id;
    if (auto head = read_head(row, added.curve); !head) return failure(std::move(head.error()));
    return &added;
  }

  std::vector<Growing> growing_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

Result<std::map<std::string, std::size_t, std::less<>>> columns_in(const std::vector<std::string_view>& head,
                                                                   std::size_t line) {
  std::map<std::string, std::size_t, std::less<>> columns;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (!columns.emplace(head[i], i).second)
      return failure(csv_place(line, i + 1, {}) + ": expected another name, since " + quoted(head[i]) +
                     " stands there twice");
  }
  for (const std::string_view needed : {id_column, clock_column, energy_column}) {
    if (columns.find(needed) == columns.end())
      return failure("line " + std::to_string(line) + ": expected a column named " + std::string(needed) +
                     " among the names of the first line");
  }
  return columns;
}

}  // namespace

Result<std::vector<Curve>> parse_curves(std::string_view text) {
  CsvReader reader(text);
  const auto head = reader.next();
  if (!head) return failure(head.error());
  if (head->empty()) return failure("line 1: expected the names of the columns, not an empty file");
  const auto columns = columns_in(*head, reader.line());
  if (!columns) return failure(columns.error());
  const std::size_t width = head->size();
  CurveCollection curves;
  while (true) {
    const auto fields = reader.next();
    if (!fields) return failure(fields.error());
    if (fields->empty()) return curves.take();
    if (fields->size() != width)
      return failure(csv_place(reader.line(), std::min(fields->size(), width) + 1, {}) + ": expected " +
                     std::to_string(width) + " fields as in the first line, not " + std::to_string(fields->size()));
    if (auto added = curves.add(Row(*fields, *columns, reader.line())); !added)
      return failure(std::move(added.error()));
  }
}

}  // namespace sweetspot
