// SPDX-License-Identifier: Apache-2.0
#include "analysis/curve_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sweetspot {
namespace {

constexpr std::size_t most_terms = 3;
using Terms = std::array<double, most_terms>;

/// Least squares by normal equations, solved with pivoting: three terms at most, on clocks near 1 GHz.
class LeastSquares {
 public:
  explicit LeastSquares(std::size_t terms) : terms_(terms) {}

  void add(const Terms& row, double value) {
    for (std::size_t i = 0; i < terms_; ++i) {
      for (std::size_t j = 0; j < terms_; ++j) matrix_[i][j] += row[i] * row[j];
      right_[i] += row[i] * value;
    }
  }

  std::optional<Terms> solution() {
    for (std::size_t column = 0; column < terms_; ++column) {
      std::size_t pivot = column;
      for (std::size_t row = column + 1; row < terms_; ++row) {
        if (std::abs(matrix_[row][column]) > std::abs(matrix_[pivot][column])) pivot = row;
      }
      if (std::abs(matrix_[pivot][column]) < 1e-12) return std::nullopt;
      std::swap(matrix_[pivot], matrix_[column]);
      std::swap(right_[pivot], right_[column]);
      eliminate(column);
    }
    for (std::size_t i = 0; i < terms_; ++i) right_[i] /= matrix_[i][i];
    return right_;
  }

 private:
  void eliminate(std::size_t column) {
    for (std::size_t row = 0; row < terms_; ++row) {
      if (row == column) continue;
      const double factor = matrix_[row][column] / matrix_[column][column];
      for (std::size_t i = column; i < terms_; ++i) matrix_[row][i] -= factor * matrix_[column][i];
      right_[row] -= factor * right_[column];
    }
  }

  std::size_t terms_;
  std::array<Terms, most_terms> matrix_{};
  Terms right_{};
};

template <class Model>
FitResiduals residuals_of(std::span<const FitPoint> points, std::size_t terms, const Model& model) {
  FitResiduals residuals;
  double squares = 0;
  for (const FitPoint& point : points) {
    const double share = model(point.ghz) / point.value - 1;
    squares += share * share;
    residuals.worst = std::max(residuals.worst, std::abs(share));
  }
  // What the fit took for its terms, the residuals lack.
  const double freedom = std::max(1.0, static_cast<double>(points.size()) - static_cast<double>(terms));
  residuals.rms = std::sqrt(squares / freedom);
  return residuals;
}

double cube(double value) {
  return value * value * value;
}

double time_at(const TimeFit& fit, double ghz) {
  return std::cbrt(cube(fit.floor_s) + cube(fit.work_s_ghz / ghz));
}

}  // namespace

double energy_at(const EnergyFit& fit, double ghz) {
  return fit.a / ghz + fit.b + fit.c * ghz * ghz;
}

std::optional<EnergyFit> fit_energy(std::span<const FitPoint> points) {
  if (points.size() < most_terms + 1) return std::nullopt;
  // Joules are of any size, and the matrix' entries with them.
  double scale = 0;
  for (const FitPoint& point : points) scale = std::max(scale, point.value);
  LeastSquares scaled(most_terms);
  for (const FitPoint& point : points) {
    const double value = point.value / scale;
    scaled.add({1 / point.ghz / value, 1 / value, point.ghz * point.ghz / value}, 1);
  }
  const auto terms = scaled.solution();
  if (!terms) return std::nullopt;
  EnergyFit fit{.a = (*terms)[0] * scale, .b = (*terms)[1] * scale, .c = (*terms)[2] * scale};
  fit.residuals = residuals_of(points, most_terms, [&fit](double ghz) { return energy_at(fit, ghz); });
  return fit;
}

std::optional<TimeFit> fit_time(std::span<const FitPoint> points) {
  constexpr std::size_t terms = 2;
  if (points.size() < terms + 1) return std::nullopt;
  double scale = 0;
  for (const FitPoint& point : points) scale = std::max(scale, point.value);
  LeastSquares both(terms);
  LeastSquares work_alone(1);
  for (const FitPoint& point : points) {
    const double value = point.value / scale;
    both.add({1 / cube(value), 1 / cube(point.ghz * value), 0}, 1);
    work_alone.add({1 / cube(point.ghz * value), 0, 0}, 1);
  }
  const auto solved = both.solution();
  Terms cubes = solved.value_or(Terms{-1, 0, 0});
  if (cubes[1] < 0) return std::nullopt;
  if (cubes[0] < 0) {
    const auto alone = work_alone.solution();
    if (!alone || (*alone)[0] < 0) return std::nullopt;
    cubes = {0, (*alone)[0], 0};
  }
  TimeFit fit{.floor_s = scale * std::cbrt(cubes[0]), .work_s_ghz = scale * std::cbrt(cubes[1])};
  fit.residuals = residuals_of(points, terms, [&fit](double ghz) { return time_at(fit, ghz); });
  return fit;
}

double optimum_of(const EnergyFit& fit, double lowest_ghz, double highest_ghz) {
  // dE/df = 0; without a valley one of the ends is least.
  if (fit.a > 0 && fit.c > 0) return std::clamp(std::cbrt(fit.a / (2 * fit.c)), lowest_ghz, highest_ghz);
  return energy_at(fit, lowest_ghz) <= energy_at(fit, highest_ghz) ? lowest_ghz : highest_ghz;
}

}  // namespace sweetspot
