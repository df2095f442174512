// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-load/load_options.hpp"

#include <array>
#include <cstdio>

#include "sweetspot/client/human_text.hpp"

namespace sweetspot {

namespace {

std::string fixed(double number, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  return text.data();
}

}  // namespace

std::string shape_text(const TrainingShape& shape) {
  const double megabytes = static_cast<double>(number_count(shape)) * sizeof(float) / 1e6;
  return std::to_string(shape.layers) + " layers, hidden size " + std::to_string(shape.hidden_size) + ", " +
         std::to_string(shape.heads) + " heads, batch of " + std::to_string(shape.batch_size) + " x " +
         std::to_string(shape.sequence_length) + " tokens: " + std::to_string(parameter_count(shape)) +
         " parameters, " + fixed(megabytes, 1) + " MB of memory";
}

std::string gpu_text(const GpuFacts& facts) {
  return printable(facts.name) + " (compute capability " + std::to_string(facts.major) + "." +
         std::to_string(facts.minor) + ", " + std::to_string(facts.multiprocessors) + " multiprocessors, " +
         fixed(static_cast<double>(facts.memory_bytes) / 1e9, 1) + " GB, CUDA " +
         std::to_string(facts.runtime_version / 1000) + "." + std::to_string(facts.runtime_version % 1000 / 10) + ")";
}

}  // namespace sweetspot
