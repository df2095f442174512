// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/characterise.hpp"

#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/known_modes.hpp"
#include "apps/sweetspot/text_table.hpp"
#include "sweetspot/analysis/characterisation.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

/// Four digits that count, as "1234" or "0.1234".
std::string figure(const std::optional<double>& value) {
  if (!value) return "-";
  int decimals = 0;
  for (double size = *value < 0 ? -*value : *value; size > 0 && size < 1000 && decimals < 6; size *= 10) ++decimals;
  return fixed_text(*value, decimals);
}

std::string spread_text(double mean, const std::optional<double>& deviation) {
  return deviation ? share_text(*deviation / mean) : "-";
}

std::string points_text(const CharacterisedCurve& curve) {
  TextTable table({"  clock", "runs", "energy J", "+/-", "vs best", "time s", "+/-", "power W"}, 0);
  std::optional<double> least;
  for (const CharacterisedPoint& point : curve.points) {
    if (point.frequency && (!least || point.energy_j < *least)) least = point.energy_j;
  }
  for (const CharacterisedPoint& point : curve.points)
    table.add({point.frequency ? "  " + to_text(*point.frequency) : "  MAXN", std::to_string(point.runs),
               figure(point.energy_j), spread_text(point.energy_j, point.energy_deviation_j),
               least ? share_text(point.energy_j / *least - 1) : "-", figure(point.time_s),
               point.time_s ? spread_text(*point.time_s, point.time_deviation_s) : "-", figure(point.power_w)});
  return table.text();
}

std::string shape_in_words(const std::string& shape) {
  if (shape == "u") return "U-shaped";
  if (shape == "falls") return "falls to the highest clock: no valley";
  if (shape == "rises") return "rises from the lowest clock: no valley";
  if (shape == "flat") return "flat within the residuals: no clock is better than another";
  return "unknown, too few clocks";
}

std::string residuals_text(const FitResiduals& residuals) {
  return "residuals " + share_text(residuals.rms) + ", worst " + share_text(residuals.worst);
}

std::string fits_text(const CharacterisedCurve& curve) {
  std::string text;
  if (const auto& fit = curve.energy_fit)
    text += "  energy     " + figure(fit->a) + "/f + " + figure(fit->b) + " + " + figure(fit->c) +
            "*f^2 J, f in GHz; " + residuals_text(fit->residuals) + "\n";
  if (const auto& fit = curve.time_fit)
    text += "  time       (" + figure(fit->floor_s) + "^3 + (" + figure(fit->work_s_ghz) + "/f)^3)^(1/3) s; " +
            residuals_text(fit->residuals) + "\n";
  return text;
}

std::string optimum_text(const CharacterisedCurve& curve) {
  std::string text = "  best       " + (curve.best ? to_text(*curve.best) : std::string("-"));
  if (curve.optimum)
    text += "; fitted " + fixed_text(in_megahertz(*curve.optimum), 0) + " MHz, 90 % between " +
            fixed_text(in_megahertz(*curve.optimum_low), 0) + " and " +
            fixed_text(in_megahertz(*curve.optimum_high), 0) + " MHz";
  if (curve.slowdown_at_best) text += "; " + share_text(curve.slowdown_at_best) + " longer than the fastest clock";
  return text + "\n";
}

std::string wastes_text(const CharacterisedCurve& curve) {
  std::string text;
  for (const WasteOfMode& each : curve.wastes) {
    if (!each.waste) continue;
    text += (text.empty() ? "" : ", ") + each.mode;
    if (each.frequency) text += " (" + to_text(*each.frequency) + ")";
    text += " " + share_text(each.waste);
  }
  return text.empty() ? text : "  waste      " + text + "\n";
}

}  // namespace

std::string characterisation_text(const std::vector<CharacterisedCurve>& curves) {
  std::string text;
  for (const CharacterisedCurve& curve : curves) {
    text += (text.empty() ? "" : "\n") + printable(curve.curve_id) + "\n" + points_text(curve);
    text += "  shape      " + shape_in_words(curve.shape) + "\n" + optimum_text(curve) + fits_text(curve) +
            wastes_text(curve);
  }
  return text;
}

CharacteriseCommand::CharacteriseCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command(
      "characterise", "Says what measured curves show: optimum, shape, fits, waste; needs no service",
      "  sweetspot characterise curves.csv\n"
      "  sweetspot characterise curves.csv --json\n"
      "The file is CSV, one run per row, as `docs/evaluate.md` describes it.",
      [this] { return run(); });
  command.add_option("data", data_, "Measured energies, and perhaps times, against the clock")
      ->type_name("FILE.csv")
      ->required();
}

int CharacteriseCommand::run() {
  const auto input = read_curves(data_);
  if (!input) return fail_with(input.error());
  std::vector<CharacterisedCurve> made;
  for (const Curve& curve : on_known_tables(input->curves, tables_for(input->curves)))
    made.push_back(characterise(curve, capped_modes_of(curve.platform)));
  return print(program_.json ? characterisation_json(made) + "\n" : characterisation_text(made));
}

}  // namespace sweetspot
