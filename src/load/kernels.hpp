// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations of Arithmetic as CUDA kernels. Includes nothing of CUDA itself: it is read by nvcc, which knows the
// words below, and by a test that gives them a meaning of its own on a CPU.
//
// Row kernels take one block per row, column kernels `column_lanes` threads side by side over columns and the rest of
// the block over rows, the others any number of blocks. Blocks have a power of two of threads: `column_lanes` at least,
// `most_threads` at most.

#include <cmath>
#include <cstddef>

#include "load/head_places.hpp"
#include "sweetspot/load/arithmetic.hpp"

namespace sweetspot::kernels {

using std::erf;  // for all lengths of numbers; the names outside std may mean those for double
using std::exp;
using std::log;
using std::sqrt;

inline constexpr unsigned most_threads = 256;
inline constexpr unsigned column_lanes = 32;

/// Of all threads of the block, to every one of them.
template <class Real>
__device__ Real sum_of_block(Real value) {
  __shared__ Real values[most_threads];
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  const Real sum = values[0];
  __syncthreads();  // before the next one writes
  return sum;
}

template <class Real>
__device__ Real greatest_of_block(Real value) {
  __shared__ Real values[most_threads];
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && values[threadIdx.x + half] > values[threadIdx.x]) {
      values[threadIdx.x] = values[threadIdx.x + half];
    }
    __syncthreads();
  }
  const Real greatest = values[0];
  __syncthreads();
  return greatest;
}

/// Of the threads that stand over one column; good in the first of them.
template <class Real>
__device__ Real sum_of_column(Real value) {
  __shared__ Real values[most_threads];
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half >= column_lanes; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  const Real sum = values[threadIdx.x % column_lanes];
  __syncthreads();
  return sum;
}

/// The share of a large count that one thread takes: first, and how far to the next.
__device__ inline std::size_t first_item() {
  return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t items_apart() {
  return std::size_t(gridDim.x) * blockDim.x;
}
/// The column that a thread of a column kernel stands over, its first row, and how far to the next.
__device__ inline std::size_t own_column() {
  return std::size_t(blockIdx.x) * column_lanes + threadIdx.x % column_lanes;
}
__device__ inline std::size_t own_first_row() {
  return threadIdx.x / column_lanes;
}
__device__ inline std::size_t rows_apart() {
  return blockDim.x / column_lanes;
}

template <class Real>
__global__ void add_bias(const Real* bias, Real* numbers, Extent extent) {
  for (std::size_t i = first_item(); i < extent.rows * extent.columns; i += items_apart()) {
    numbers[i] += bias[i % extent.columns];
  }
}

template <class Real>
__global__ void sum_columns(const Real* numbers, Extent extent, Real* sums) {
  const std::size_t column = own_column();
  Real sum = 0;
  for (std::size_t row = own_first_row(); column < extent.columns && row < extent.rows; row += rows_apart()) {
    sum += numbers[row * extent.columns + column];
  }
  sum = sum_of_column(sum);
  if (own_first_row() == 0 && column < extent.columns) sums[column] = sum;
}

template <class Real>
__global__ void normalise(LayerNorm<Real> norm, Real* output) {
  const std::size_t columns = norm.extent.columns;
  const std::size_t row = blockIdx.x;
  const Real* const input = norm.input + row * columns;
  Real sum = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) sum += input[i];
  const Real mean = sum_of_block(sum) / Real(columns);
  Real squares = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) squares += (input[i] - mean) * (input[i] - mean);
  const Real inverse_deviation = Real(1) / sqrt(sum_of_block(squares) / Real(columns) + Real(norm.epsilon));
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    output[row * columns + i] = norm.gain[i] * (input[i] - mean) * inverse_deviation + norm.offset[i];
  }
  if (threadIdx.x == 0) {
    norm.mean[row] = mean;
    norm.inverse_deviation[row] = inverse_deviation;
  }
}

/// The input's gradient: a row kernel.
template <class Real>
__global__ void normalise_input_backwards(LayerNorm<Real> norm, LayerNormGradients<Real> gradients) {
  const std::size_t columns = norm.extent.columns;
  const std::size_t row = blockIdx.x;
  const Real* const input = norm.input + row * columns;
  const Real* const of_output = gradients.output + row * columns;
  Real* const of_input = gradients.input + row * columns;
  const Real mean = norm.mean[row];
  const Real inverse_deviation = norm.inverse_deviation[row];
  Real sum = 0;
  Real sum_of_both = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    const Real of_normal = of_output[i] * norm.gain[i];
    sum += of_normal;
    sum_of_both += of_normal * (input[i] - mean) * inverse_deviation;
  }
  const Real mean_gradient = sum_of_block(sum) / Real(columns);
  const Real mean_of_both = sum_of_block(sum_of_both) / Real(columns);
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    const Real normal = (input[i] - mean) * inverse_deviation;
    const Real gradient = inverse_deviation * (of_output[i] * norm.gain[i] - mean_gradient - normal * mean_of_both);
    of_input[i] = gradients.into == Into::adds ? of_input[i] + gradient : gradient;
  }
}

/// The parameters' gradients: a column kernel.
template <class Real>
__global__ void normalise_parameters_backwards(LayerNorm<Real> norm, LayerNormGradients<Real> gradients) {
  const std::size_t columns = norm.extent.columns;
  const std::size_t column = own_column();
  Real of_gain = 0;
  Real of_offset = 0;
  for (std::size_t row = own_first_row(); column < columns && row < norm.extent.rows; row += rows_apart()) {
    const std::size_t place = row * columns + column;
    of_gain += gradients.output[place] * (norm.input[place] - norm.mean[row]) * norm.inverse_deviation[row];
    of_offset += gradients.output[place];
  }
  of_gain = sum_of_column(of_gain);
  of_offset = sum_of_column(of_offset);
  if (own_first_row() == 0 && column < columns) {
    gradients.gain[column] = of_gain;
    gradients.offset[column] = of_offset;
  }
}

/// The softmax of this block's row over it; returns the logarithm of its sum before.
template <class Real>
__device__ Real softmax_of_row(Real* row, std::size_t columns, Real scale) {
  Real own_greatest = scale * row[0];
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    if (scale * row[i] > own_greatest) own_greatest = scale * row[i];
  }
  const Real greatest = greatest_of_block(own_greatest);
  Real sum = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) {
    row[i] = exp(scale * row[i] - greatest);
    sum += row[i];
  }
  sum = sum_of_block(sum);
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) row[i] /= sum;
  return greatest + log(sum);
}

template <class Real>
__global__ void softmax(Real* numbers, Extent extent, Real scale) {
  softmax_of_row(numbers + blockIdx.x * extent.columns, extent.columns, scale);
}

template <class Real>
__global__ void softmax_backwards(const Real* result, Real* gradients, Extent extent, Real scale) {
  const Real* const shares = result + blockIdx.x * extent.columns;
  Real* const of_row = gradients + blockIdx.x * extent.columns;
  Real sum = 0;
  for (std::size_t i = threadIdx.x; i < extent.columns; i += blockDim.x) sum += shares[i] * of_row[i];
  sum = sum_of_block(sum);
  for (std::size_t i = threadIdx.x; i < extent.columns; i += blockDim.x) {
    of_row[i] = scale * shares[i] * (of_row[i] - sum);
  }
}

template <class Real>
__global__ void gelu(const Real* input, Real* output, std::size_t count) {
  const Real inverse_root_of_2 = Real(0.70710678118654752440);
  for (std::size_t i = first_item(); i < count; i += items_apart()) {
    output[i] = input[i] * Real(0.5) * (Real(1) + erf(input[i] * inverse_root_of_2));
  }
}

template <class Real>
__global__ void gelu_backwards(const Real* input, Real* gradients, std::size_t count) {
  const Real inverse_root_of_2 = Real(0.70710678118654752440);
  const Real peak = Real(0.39894228040143267794);  // of the normal density
  for (std::size_t i = first_item(); i < count; i += items_apart()) {
    const Real below = Real(0.5) * (Real(1) + erf(input[i] * inverse_root_of_2));
    gradients[i] *= below + input[i] * peak * exp(Real(-0.5) * input[i] * input[i]);
  }
}

template <class Real>
__global__ void split_heads(const Real* tokens, Real* heads, HeadLayout layout, std::size_t count) {
  for (std::size_t i = first_item(); i < count; i += items_apart()) heads[place_by_head(i, layout)] = tokens[i];
}

template <class Real>
__global__ void join_heads(const Real* heads, Real* tokens, HeadLayout layout, std::size_t count) {
  for (std::size_t i = first_item(); i < count; i += items_apart()) tokens[i] = heads[place_by_head(i, layout)];
}

/// A row kernel.
template <class Real>
__global__ void cross_entropy(const Real* targets, Real* logits, Extent extent, Real* losses) {
  const Real* const wanted = targets + blockIdx.x * extent.columns;
  Real* const row = logits + blockIdx.x * extent.columns;
  Real of_logits = 0;
  for (std::size_t i = threadIdx.x; i < extent.columns; i += blockDim.x) of_logits += wanted[i] * row[i];
  of_logits = sum_of_block(of_logits);
  const Real logarithm = softmax_of_row(row, extent.columns, Real(1));
  for (std::size_t i = threadIdx.x; i < extent.columns; i += blockDim.x) {
    row[i] = (row[i] - wanted[i]) / Real(extent.rows);
  }
  if (threadIdx.x == 0) losses[blockIdx.x] = logarithm - of_logits;
}

template <class Real>
__global__ void update(AdamWPlaces<Real> places, AdamW<Real> rule) {
  for (std::size_t i = first_item(); i < places.count; i += items_apart()) {
    const Real gradient = places.gradients[i];
    const Real first = rule.first_beta * places.first_moments[i] + (Real(1) - rule.first_beta) * gradient;
    const Real second =
        rule.second_beta * places.second_moments[i] + (Real(1) - rule.second_beta) * gradient * gradient;
    places.first_moments[i] = first;
    places.second_moments[i] = second;
    const Real step = first / rule.first_correction / (sqrt(second / rule.second_correction) + rule.epsilon);
    places.parameters[i] -= rule.rate * (step + rule.decay * places.parameters[i]);
  }
}

}  // namespace sweetspot::kernels
