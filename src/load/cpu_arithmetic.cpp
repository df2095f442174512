// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/load/cpu_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "load/head_places.hpp"

namespace sweetspot {

namespace {

/// One row of a matrix.
template <class Real>
std::span<Real> row_of(Real* numbers, std::size_t row, std::size_t columns) {
  return {numbers + row * columns, columns};
}

template <class Real>
Real mean_of(std::span<const Real> row) {
  return std::accumulate(row.begin(), row.end(), Real(0)) / static_cast<Real>(row.size());
}

/// Writes the softmax of `scale` times the row over it; returns the logarithm of its sum before, for cross_entropy.
template <class Real>
Real softmax_row(std::span<Real> row, Real scale) {
  const Real greatest = scale * *std::max_element(row.begin(), row.end());
  Real sum = 0;
  for (Real& number : row) sum += number = std::exp(scale * number - greatest);
  for (Real& number : row) number /= sum;
  return greatest + std::log(sum);
}

}  // namespace

template <class Real>
Result<Real*> CpuArithmetic<Real>::reserve(std::size_t count) {
  try {
    reserved_.emplace_back(count);
  } catch (const std::bad_alloc&) {
    return failure("no memory for " + std::to_string(count) + " numbers");
  }
  return reserved_.back().data();
}

template <class Real>
Result<void> CpuArithmetic<Real>::upload(std::span<const Real> from, Real* to) {
  std::copy(from.begin(), from.end(), to);
  return {};
}

template <class Real>
Result<void> CpuArithmetic<Real>::download(const Real* from, std::span<Real> to) {
  std::copy(from, from + to.size(), to.begin());
  return {};
}

template <class Real>
void CpuArithmetic<Real>::clear(Real* numbers, std::size_t count) {
  std::fill(numbers, numbers + count, Real(0));
}

template <class Real>
void CpuArithmetic<Real>::copy(const Real* from, Real* to, std::size_t count) {
  std::copy(from, from + count, to);
}

template <class Real>
void CpuArithmetic<Real>::multiply(const Product<Real>& product) {
  const auto [rows, columns, inner] = std::tuple(product.rows, product.columns, product.inner);
  const std::size_t left_row = product.left.transposed ? 1 : inner;
  const std::size_t left_inner = product.left.transposed ? rows : 1;
  const std::size_t right_inner = product.right.transposed ? 1 : columns;
  const std::size_t right_column = product.right.transposed ? inner : 1;
  for (std::size_t entry = 0; entry < product.count; ++entry) {
    const Real* const left = product.left.at + entry * rows * inner;
    const Real* const right = product.right.at + entry * inner * columns;
    Real* const result = product.result + entry * rows * columns;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        Real sum = 0;
        for (std::size_t i = 0; i < inner; ++i) {
          sum += left[row * left_row + i * left_inner] * right[i * right_inner + column * right_column];
        }
        Real& place = result[row * columns + column];
        place = product.scale * sum + (product.into == Into::adds ? place : Real(0));
      }
    }
  }
}

template <class Real>
void CpuArithmetic<Real>::add_bias(const Real* bias, Real* numbers, Extent extent) {
  for (std::size_t i = 0; i < extent.size(); ++i) numbers[i] += bias[i % extent.columns];
}

template <class Real>
void CpuArithmetic<Real>::sum_columns(const Real* numbers, Extent extent, Real* sums) {
  std::fill(sums, sums + extent.columns, Real(0));
  for (std::size_t i = 0; i < extent.size(); ++i) sums[i % extent.columns] += numbers[i];
}

template <class Real>
void CpuArithmetic<Real>::normalise(const LayerNorm<Real>& norm, Real* output) {
  for (std::size_t row = 0; row < norm.extent.rows; ++row) {
    const auto input = row_of(norm.input, row, norm.extent.columns);
    const auto result = row_of(output, row, norm.extent.columns);
    const Real mean = mean_of(input);
    Real variance = 0;
    for (const Real number : input) variance += (number - mean) * (number - mean);
    variance /= static_cast<Real>(input.size());
    norm.mean[row] = mean;
    norm.inverse_deviation[row] = 1 / std::sqrt(variance + norm.epsilon);
    for (std::size_t i = 0; i < input.size(); ++i) {
      result[i] = norm.gain[i] * (input[i] - mean) * norm.inverse_deviation[row] + norm.offset[i];
    }
  }
}

template <class Real>
void CpuArithmetic<Real>::normalise_backwards(const LayerNorm<Real>& norm, const LayerNormGradients<Real>& gradients) {
  const std::size_t columns = norm.extent.columns;
  std::fill(gradients.gain, gradients.gain + columns, Real(0));
  std::fill(gradients.offset, gradients.offset + columns, Real(0));
  std::vector<Real> normal(columns);
  std::vector<Real> of_normal(columns);
  std::vector<Real> both(columns);
  for (std::size_t row = 0; row < norm.extent.rows; ++row) {
    const auto input = row_of(norm.input, row, columns);
    const auto of_output = row_of(gradients.output, row, columns);
    const auto of_input = row_of(gradients.input, row, columns);
    for (std::size_t i = 0; i < columns; ++i) {
      normal[i] = (input[i] - norm.mean[row]) * norm.inverse_deviation[row];
      of_normal[i] = of_output[i] * norm.gain[i];
      both[i] = of_normal[i] * normal[i];
      gradients.gain[i] += of_output[i] * normal[i];
      gradients.offset[i] += of_output[i];
    }
    const Real mean = mean_of<Real>(of_normal);
    const Real mean_of_both = mean_of<Real>(both);
    for (std::size_t i = 0; i < columns; ++i) {
      const Real gradient = norm.inverse_deviation[row] * (of_normal[i] - mean - normal[i] * mean_of_both);
      of_input[i] = gradient + (gradients.into == Into::adds ? of_input[i] : Real(0));
    }
  }
}

template <class Real>
void CpuArithmetic<Real>::softmax(Real* numbers, Extent extent, Real scale) {
  for (std::size_t row = 0; row < extent.rows; ++row) softmax_row(row_of(numbers, row, extent.columns), scale);
}

template <class Real>
void CpuArithmetic<Real>::softmax_backwards(const Real* result, Real* gradients, Extent extent, Real scale) {
  for (std::size_t row = 0; row < extent.rows; ++row) {
    const auto shares = row_of(result, row, extent.columns);
    const auto of_row = row_of(gradients, row, extent.columns);
    const Real sum = std::inner_product(shares.begin(), shares.end(), of_row.begin(), Real(0));
    for (std::size_t i = 0; i < shares.size(); ++i) of_row[i] = scale * shares[i] * (of_row[i] - sum);
  }
}

template <class Real>
void CpuArithmetic<Real>::gelu(const Real* input, Real* output, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    output[i] = input[i] / 2 * (1 + std::erf(input[i] / std::numbers::sqrt2_v<Real>));
  }
}

template <class Real>
void CpuArithmetic<Real>::gelu_backwards(const Real* input, Real* gradients, std::size_t count) {
  const Real peak = std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
  for (std::size_t i = 0; i < count; ++i) {
    const Real below = (1 + std::erf(input[i] / std::numbers::sqrt2_v<Real>)) / 2;
    gradients[i] *= below + input[i] * peak * std::exp(-input[i] * input[i] / 2);
  }
}

template <class Real>
void CpuArithmetic<Real>::split_heads(const Real* tokens, Real* heads, const HeadLayout& layout) {
  for (std::size_t i = 0; i < layout.size(); ++i) heads[place_by_head(i, layout)] = tokens[i];
}

template <class Real>
void CpuArithmetic<Real>::join_heads(const Real* heads, Real* tokens, const HeadLayout& layout) {
  for (std::size_t i = 0; i < layout.size(); ++i) tokens[i] = heads[place_by_head(i, layout)];
}

template <class Real>
void CpuArithmetic<Real>::cross_entropy(const Real* targets, Real* logits, Extent extent, Real* losses) {
  for (std::size_t row = 0; row < extent.rows; ++row) {
    const auto wanted = row_of(targets, row, extent.columns);
    const auto shares = row_of(logits, row, extent.columns);
    const Real of_logits = std::inner_product(wanted.begin(), wanted.end(), shares.begin(), Real(0));
    losses[row] = softmax_row(shares, Real(1)) - of_logits;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i] = (shares[i] - wanted[i]) / static_cast<Real>(extent.rows);
    }
  }
}

template <class Real>
void CpuArithmetic<Real>::update(const AdamWPlaces<Real>& places, const AdamW<Real>& rule) {
  for (std::size_t i = 0; i < places.count; ++i) {
    const Real gradient = places.gradients[i];
    Real& first = places.first_moments[i];
    Real& second = places.second_moments[i];
    first = rule.first_beta * first + (1 - rule.first_beta) * gradient;
    second = rule.second_beta * second + (1 - rule.second_beta) * gradient * gradient;
    const Real step = first / rule.first_correction / (std::sqrt(second / rule.second_correction) + rule.epsilon);
    places.parameters[i] -= rule.rate * (step + rule.decay * places.parameters[i]);
  }
}

template class CpuArithmetic<float>;
template class CpuArithmetic<double>;

}  // namespace sweetspot
