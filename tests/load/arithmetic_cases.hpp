// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "load/random_numbers.hpp"
#include "sweetspot/load/cpu_arithmetic.hpp"
#include "sweetspot/load/training_step.hpp"

namespace sweetspot::tests {

/// Numbers in, one operation, the numbers out: what two implementations are compared by. Buffers of random numbers of
/// these sizes are given to `operate`, which may change any of them; all are looked at afterwards.
template <class Real>
struct OperationCase {
  std::string name;
  std::vector<std::size_t> sizes;
  std::function<void(Arithmetic<Real>&, const std::vector<Real*>&)> operate;
};

/// Every operation, at sizes that leave some threads of a block without work and give others several items.
template <class Real>
std::vector<OperationCase<Real>> every_operation();

template <class Real>
std::vector<std::vector<Real>> outcome(Arithmetic<Real>& arithmetic, const OperationCase<Real>& one) {
  std::vector<std::vector<Real>> numbers;
  std::vector<Real*> places;
  RandomNumbers random(7);
  for (const std::size_t size : one.sizes) {
    numbers.push_back(random.around_zero<Real>(size, 1.0));
    places.push_back(arithmetic.reserve(size).value());
    EXPECT_TRUE(arithmetic.upload(numbers.back(), places.back()));
  }
  one.operate(arithmetic, places);
  const auto finished = arithmetic.finish();
  EXPECT_TRUE(finished) << finished.error().message;
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_TRUE(arithmetic.download(places[i], numbers[i]));
  return numbers;
}

/// The greatest distance of two lists of numbers, in units of the greatest number of the first.
template <class Real>
double distance(const std::vector<Real>& one, const std::vector<Real>& other) {
  double greatest = 1e-30;
  double apart = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    greatest = std::max(greatest, std::abs(static_cast<double>(one[i])));
    const double distance = std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i]));
    apart = std::max(apart, std::isnan(distance) ? 1e30 : distance);
  }
  return apart / greatest;
}

template <class Real>
void expect_like_the_reference(Arithmetic<Real>& arithmetic, const OperationCase<Real>& one, double tolerance) {
  CpuArithmetic<Real> reference;
  const auto wanted = outcome(reference, one);
  const auto got = outcome(arithmetic, one);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_LE(distance(wanted[i], got[i]), tolerance) << one.name << ", buffer " << i;
  }
}

/// A few whole training steps: gradients of the first, then parameters and loss after the last.
template <class Real>
struct TrainingOutcome {
  std::vector<Real> gradients;
  std::vector<Real> parameters;
  double first_loss = 0;
  double last_loss = 0;
};

template <class Real>
TrainingOutcome<Real> trained(Arithmetic<Real>& arithmetic, const TrainingShape& shape, int steps) {
  auto step = TrainingStep<Real>::create(arithmetic, shape, 3).value();
  TrainingOutcome<Real> outcome;
  for (int i = 0; i < steps; ++i) {
    step.forward();
    if (i == 0) outcome.first_loss = step.loss().value();
    step.backward();
    if (i == 0) outcome.gradients = step.gradients().value();
    step.update();
  }
  step.forward();
  outcome.last_loss = step.loss().value();
  outcome.parameters = step.parameters().value();
  return outcome;
}

/// What floats may differ by when sums are added up in another order; emulated kernels keep well within it.
inline constexpr double operation_tolerance = 2e-5;
inline const TrainingShape training_shape{1, 16, 2, 2, 4, 4};

/// AdamW divides gradients by their own size, which makes much of the rounding of small ones: gradients are held to
/// more than what follows from them.
inline void expect_like_training(const TrainingOutcome<float>& wanted, const TrainingOutcome<float>& got) {
  EXPECT_LE(distance(wanted.gradients, got.gradients), 1e-4);
  EXPECT_NEAR(wanted.first_loss, got.first_loss, 1e-4);
  EXPECT_LE(distance(wanted.parameters, got.parameters), 5e-3);
  EXPECT_NEAR(wanted.last_loss, got.last_loss, 1e-3);
}

template <class Real>
std::vector<OperationCase<Real>> every_operation() {
  using Places = const std::vector<Real*>&;
  using Numbers = Arithmetic<Real>&;
  constexpr Extent extent{7, 75};
  constexpr std::size_t all = 7 * 75;
  const auto norm = [](Places p) { return LayerNorm<Real>{p[0], p[1], p[2], p[3], p[4], extent}; };
  const std::vector<std::size_t> norm_sizes{all, 75, 75, 7, 7, all, all, 75, 75};
  const auto norm_backwards = [norm](Into into) {
    return [norm, into](Numbers a, Places p) { a.normalise_backwards(norm(p), {p[5], p[6], p[7], p[8], into}); };
  };
  const auto product = [](bool left, bool right, std::size_t count, Into into) {
    return [=](Numbers a, Places p) {
      a.multiply({{p[0], left}, {p[1], right}, p[2], 3, 5, 4, count, Real(0.7), into});
    };
  };
  const HeadLayout layout{2, 3, 3, 2, 5};
  return {
      {"product", {12, 20, 15}, product(false, false, 1, Into::replaces)},
      {"product of transposed left", {12, 20, 15}, product(true, false, 1, Into::replaces)},
      {"product of transposed right", {12, 20, 15}, product(false, true, 1, Into::replaces)},
      {"product of both transposed", {12, 20, 15}, product(true, true, 1, Into::adds)},
      {"several products", {36, 60, 45}, product(false, true, 3, Into::adds)},
      {"clear", {all}, [](Numbers a, Places p) { a.clear(p[0], all - 1); }},
      {"copy", {all, all}, [](Numbers a, Places p) { a.copy(p[0], p[1], all - 1); }},
      {"bias", {75, all}, [=](Numbers a, Places p) { a.add_bias(p[0], p[1], extent); }},
      {"column sums", {all, 75}, [=](Numbers a, Places p) { a.sum_columns(p[0], extent, p[1]); }},
      {"normalisation", norm_sizes, [norm](Numbers a, Places p) { a.normalise(norm(p), p[5]); }},
      {"normalisation backwards", norm_sizes, norm_backwards(Into::replaces)},
      {"normalisation backwards, added", norm_sizes, norm_backwards(Into::adds)},
      {"softmax", {all}, [=](Numbers a, Places p) { a.softmax(p[0], extent, Real(3)); }},
      {"softmax backwards", {all, all}, [=](Numbers a, Places p) { a.softmax_backwards(p[0], p[1], extent, Real(3)); }},
      {"gelu", {all, all}, [](Numbers a, Places p) { a.gelu(p[0], p[1], all); }},
      {"gelu backwards", {all, all}, [](Numbers a, Places p) { a.gelu_backwards(p[0], p[1], all); }},
      {"split heads", {180, 180}, [=](Numbers a, Places p) { a.split_heads(p[0], p[1], layout); }},
      {"join heads", {180, 180}, [=](Numbers a, Places p) { a.join_heads(p[0], p[1], layout); }},
      {"cross-entropy", {all, all, 7}, [=](Numbers a, Places p) { a.cross_entropy(p[0], p[1], extent, p[2]); }},
      {"update",
       {all, all, all, all},
       [=](Numbers a, Places p) {
         a.gelu(p[3], p[2], all);
         a.softmax(p[3], extent, Real(1));  // second moments are positive
         a.update({p[0], p[1], p[2], p[3], all}, {.first_correction = Real(0.1), .second_correction = Real(0.2)});
       }},
  };
}

}  // namespace sweetspot::tests
