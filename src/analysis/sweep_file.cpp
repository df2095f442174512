// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/sweep_file.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "analysis/csv_reader.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;  // column, text

constexpr std::string_view baseline_clock = "MAXN";

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

template <class T>
std::string number_field(const std::optional<T>& value) {
  return value ? number_text(static_cast<double>(*value)) : std::string();
}

std::string number_field(const std::optional<double>& value, int decimals) {
  return value ? fixed_text(*value, decimals) : std::string();
}

Fields fields_of_curve(const SweepCurve& curve) {
  const JobSpec& job = curve.job;
  return {{"platform", curve.platform},
          {"kind", "finetune"},
          {"workload", job.name.value_or("")},
          {"model_type", job.model_type.value_or("")},
          {"layers", number_field(job.layers)},
          {"hidden_size", number_field(job.hidden_size)},
          {"mean_sequence_length", number_field(job.mean_sequence_length)},
          {"batch_size", number_field(job.batch_size)},
          {"total_steps", number_field(job.total_steps)},
          {"power_mode", curve.power_mode},
          {"source", curve.source},
          {"command", curve.command}};
}

Fields fields_of_run(const SweepCurve& curve, const SweepRow& row) {
  const auto mhz = [](const std::optional<Hertz>& clock) {
    return clock ? number_text(in_megahertz(*clock)) : std::string();
  };
  Fields fields{{"curve_id", curve.id},
                {"gpu_freq_mhz", row.point.clock ? mhz(row.point.clock) : std::string(baseline_clock)},
                {"repeat", std::to_string(row.point.repeat)},
                {"valid", row.valid ? "true" : "false"},
                {"reason", row.reason},
                {"held_mhz", mhz(row.held)},
                {"share_at_clock", number_field(row.share_at_clock, 4)},
                {"time_s", number_field(row.time_s, 3)},
                {"steps", number_field(row.steps)},
                {"energy_j", number_field(row.energy_j, 3)},
                {"mean_power_w", number_field(row.mean_power_w, 3)}};
  for (std::size_t i = 0; i < curve.rails.size(); ++i)
    fields.emplace_back(curve.rails[i] + "_j", i < row.rail_j.size() ? number_field(row.rail_j[i], 3) : std::string());
  const Fields rest{{"mean_gpu_load_percent", number_field(row.load_percent, 1)},
                    {"temperature_before_c", number_field(row.celsius_before, 1)},
                    {"temperature_after_c", number_field(row.celsius_after, 1)},
                    {"coverage", number_field(row.coverage, 4)},
                    {"exit_status", number_field(row.exit_status)},
                    {"energy_scope", row.energy_scope},
                    {"started", row.started}};
  fields.insert(fields.end(), rest.begin(), rest.end());
  return fields;
}

Fields all_fields(const SweepCurve& curve, const SweepRow& row) {
  Fields fields = fields_of_run(curve, row);
  for (auto& field : fields_of_curve(curve)) fields.push_back(std::move(field));
  return fields;
}

/// A row of a file whose columns are those of sweep_head().
class FileRow {
 public:
  FileRow(const Fields& columns, const std::vector<std::string_view>& texts, std::size_t line)
      : columns_(columns), texts_(texts), line_(line) {}

  [[nodiscard]] std::string_view text(std::string_view column) const { return texts_[place(column)]; }
  template <class T>
  [[nodiscard]] std::optional<T> number(std::string_view column) const {
    const std::string_view value = text(column);
    T number{};
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem != std::errc{} || end != value.data() + value.size()) return std::nullopt;
    return number;
  }
  [[nodiscard]] tl::unexpected<Error> refuse(std::string_view column, const std::string& expected) const {
    return failure(csv_place(line_, place(column) + 1, column) + ": expected " + expected);
  }

 private:
  [[nodiscard]] std::size_t place(std::string_view column) const {
    const auto found = std::find_if(columns_.begin(), columns_.end(), [&](const auto& c) { return c.first == column; });
    return static_cast<std::size_t>(found - columns_.begin());
  }
  const Fields& columns_;
  const std::vector<std::string_view>& texts_;
  std::size_t line_;
};

Result<SweepRow> row_in(const FileRow& file) {
  SweepRow row;
  if (file.text("gpu_freq_mhz") != baseline_clock) {
    const auto mhz = file.number<double>("gpu_freq_mhz");
    if (!mhz || !(*mhz >= 1 && *mhz <= 100'000)) return file.refuse("gpu_freq_mhz", "a clock in MHz, or MAXN");
    row.point.clock = megahertz(*mhz);
  }
  const auto repeat = file.number<std::size_t>("repeat");
  if (!repeat || *repeat == 0) return file.refuse("repeat", "a whole number from 1");
  row.point.repeat = *repeat;
  row.valid = file.text("valid") == "true";
  row.reason = file.text("reason");
  row.time_s = file.number<double>("time_s");
  row.energy_j = file.number<double>("energy_j");
  row.steps = file.number<std::int64_t>("steps");
  if (row.valid && (!row.energy_j || !(*row.energy_j > 0))) return file.refuse("energy_j", "joules above 0");
  if (row.valid && (!row.time_s || !(*row.time_s > 0))) return file.refuse("time_s", "seconds above 0");
  if (const auto held = file.number<double>("held_mhz")) row.held = megahertz(*held);
  row.energy_scope = file.text("energy_scope");
  row.started = file.text("started");
  return row;
}

/// "layers: 24 there, 12 now".
void compare(const FileRow& file, const Fields& curve, std::vector<std::string>& mismatch) {
  for (const auto& [column, text] : curve) {
    const std::string_view there = file.text(column);
    if (there == text) continue;
    const auto said = [](std::string_view value) { return value.empty() ? "none" : std::string(value); };
    std::string difference =
        column == "command" ? "another command" : column + ": " + said(there) + " there, " + said(text) + " now";
    if (std::find(mismatch.begin(), mismatch.end(), difference) == mismatch.end())
      mismatch.push_back(std::move(difference));
  }
}

std::string line_of(const Fields& fields, std::string Fields::value_type::*part) {
  std::string line;
  for (const auto& field : fields) line += (line.empty() ? "" : ",") + csv_field(field.*part);
  return line + "\n";
}

Result<void> check_head(CsvReader& reader, const Fields& columns) {
  const auto head = reader.next();
  if (!head) return failure(head.error());
  const auto same = [](std::string_view text, const auto& column) { return text == column.first; };
  if (std::equal(head->begin(), head->end(), columns.begin(), columns.end(), same)) return {};
  return failure(
      "line 1: expected the columns that `sweetspot sweep` writes on this board; the file is no sweep's, or another "
      "board's");
}

}  // namespace

std::string sweep_head(const SweepCurve& curve) {
  return line_of(all_fields(curve, {}), &Fields::value_type::first);
}

std::string sweep_line(const SweepCurve& curve, const SweepRow& row) {
  return line_of(all_fields(curve, row), &Fields::value_type::second);
}

Result<SweptBefore> read_swept(std::string_view text, const SweepCurve& curve) {
  SweptBefore before;
  if (text.empty()) return before;
  const Fields columns = all_fields(curve, {});
  const Fields own = fields_of_curve(curve);
  CsvReader reader(text);
  if (auto head = check_head(reader, columns); !head) return failure(std::move(head.error()));
  std::set<std::string, std::less<>> others;
  while (true) {
    const auto texts = reader.next();
    if (!texts) return failure(texts.error());
    if (texts->empty()) break;
    if (texts->size() != columns.size())
      return failure("line " + std::to_string(reader.line()) + ": expected " + std::to_string(columns.size()) +
                     " fields, not " + std::to_string(texts->size()));
    const FileRow file(columns, *texts, reader.line());
    if (file.text("curve_id") != curve.id) {
      others.emplace(file.text("curve_id"));
      continue;
    }
    compare(file, own, before.mismatch);
    auto row = row_in(file);
    if (!row) return failure(std::move(row.error()));
    if (row->valid && before.energy_scope.empty()) before.energy_scope = row->energy_scope;
    before.rows.push_back(std::move(*row));
  }
  before.others.assign(others.begin(), others.end());
  return before;
}

std::size_t whole_lines(std::string_view text) {
  const std::size_t last = text.rfind('\n');
  return last == std::string_view::npos ? 0 : last + 1;
}

std::vector<SweepPoint> left_to_run(const std::vector<SweepPoint>& plan, const std::vector<SweepRow>& rows) {
  std::set<SweepPoint> complete;
  for (const SweepRow& row : rows) {
    if (row.valid) complete.insert(row.point);
  }
  std::vector<SweepPoint> left;
  std::copy_if(plan.begin(), plan.end(), std::back_inserter(left),
               [&](const SweepPoint& point) { return complete.count(point) == 0; });
  return left;
}

}  // namespace sweetspot
