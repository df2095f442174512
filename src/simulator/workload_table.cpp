// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

namespace {

const std::string published =
    "measured: joules of github.com/esainulab/slmdvfs, commit 9e14047 (AGX Orin 64 GB, VDD_GPU_SOC+VDD_CPU_CV); ";

// Mean tokenised length and number of training examples of a task.
struct Task {
  std::string name;
  double mean_length = 0;
  double examples = 0;
};
const Task sst2{"sst2", 14, 67349};
const Task qnli{"qnli", 51, 104743};

struct Measured {
  std::string id;
  int layers;
  int hidden;
  int batch;
  double steps;
  StepShape step;
  Demand demand;
  MeasuredCurve curve;
  std::string assumptions;
};

// Step shapes: least-squares fits of work and floor so that published joules / modelled time stays within a few per
// cent of the modelled power (rms 2.1 %, 0.8 %, 6.8 %, 2.8 % in the order below). Times themselves were not published.
StepShape fitted(double work_mhz_s, double floor_to_top_ratio) {
  constexpr double top_mhz = 1300.5;
  return {.work_mhz_s = work_mhz_s, .floor_s = floor_to_top_ratio * work_mhz_s / top_mhz};
}

Workload measured(const Measured& m) {
  const bool is_sst2 = m.id.find("/sst2") != std::string::npos;
  return {.id = m.id,
          .layers = m.layers,
          .hidden_size = m.hidden,
          .mean_sequence_length = is_sst2 ? sst2.mean_length : qnli.mean_length,
          .batch_size = m.batch,
          .total_steps = m.steps,
          .step = m.step,
          .demand = m.demand,
          .curve = m.curve,
          .source = published + "assumed: step time (fitted model), GPU load, " + m.assumptions};
}

std::vector<Workload> measured_workloads() {
  return {
      measured({"deberta-v2-xlarge/sst2",
                24,
                1536,
                16,
                4209,
                fitted(388.5, 0.50),
                {.load = 0.97, .memory = 0, .cpu_w = 1.75},
                {{{306, 55292.41},
                  {408, 47512.24},
                  {510, 43025.92},
                  {612, 41044.05},
                  {714, 40927.33},
                  {816, 40981.54},
                  {918, 42053.11},
                  {1020, 44378.81},
                  {1122, 46298.01},
                  {1224, 49986.88},
                  {1300.5, 52475.58}},
                 52317.17,
                 1295.6},
                "mean clock of MAXN"}),
      measured({"deberta-v2-xlarge/qnli",
                24,
                1536,
                16,
                6546,
                fitted(3180, 0.84),
                {.load = 0.97, .memory = 0, .cpu_w = 1.75},
                {{{306, 693591.48},
                  {408, 596669.90},
                  {510, 545930.79},
                  {612, 536503.90},
                  {714, 539312.18},
                  {816, 549624.25},
                  {918, 572217.63},
                  {1020, 610475.85},
                  {1122, 641276.34},
                  {1224, 698390.84},
                  {1300.5, 737041.01}},
                 552288.86,
                 828.0},
                "mean clock of MAXN"}),
      measured({"pythia-14m/qnli",
                6,
                128,
                128,
                818,
                fitted(115.2, 2.98),
                {.load = 0.20, .memory = 0, .cpu_w = 1.75},
                {{{306, 2108},
                  {408, 2026.9},
                  {510, 2032.1},
                  {612, 2070.1},
                  {714, 2099.3},
                  {816, 2254},
                  {918, 2362},
                  {1020, 2531.4},
                  {1122, 2662.8},
                  {1224, 2703.7},
                  {1300.5, 2864.2}},
                 2090.5,
                 683.3},
                "mean clock of MAXN, steps (QNLI at batch 128), GPU load low enough for the second stage"}),
      measured({"gemma-2b/qnli",
                18,
                2048,
                16,
                6546,
                fitted(3260, 0.76),
                {.load = 0.98, .memory = 0, .cpu_w = 1.75},
                {{{306, 721533.29}, {408, 615101.16}, {510, 595930.38}, {1224, 712022.74}, {1300.5, 748437.96}},
                 694858.59,
                 1293},
                "steps (QNLI at batch 16), everything between 510 and 1224 MHz"}),
  };
}

struct Modelled {
  std::string model;
  int layers = 0;
  int hidden = 0;
  double memory = 0;
  int sst2_batch = 0;
  int qnli_batch = 0;
};

// 6 floating-point operations per parameter and token, 12·hidden² parameters per layer, 1.3 for padding, 3 TFLOP/s
// sustained at 1300.5 MHz; floor: 10 ms per step and 4 ms per layer for launches and the optimiser. Assumptions, all
// of them.
StepShape modelled_step(const Modelled& m, int batch, double length) {
  const double flops = 6.0 * 12.0 * m.layers * std::pow(m.hidden, 2) * batch * length * 1.3;
  constexpr double flops_per_mhz_second = 3e12 / 1300.5;
  return {.work_mhz_s = flops / flops_per_mhz_second, .floor_s = 0.010 + 0.004 * m.layers};
}

Workload modelled(const Modelled& m, const Task& task, int batch) {
  return {.id = m.model + "/" + task.name,
          .layers = m.layers,
          .hidden_size = m.hidden,
          .mean_sequence_length = task.mean_length,
          .batch_size = batch,
          .total_steps = std::round(task.examples / batch),
          .step = modelled_step(m, batch, task.mean_length),
          .demand = {.load = 0, .memory = m.memory, .cpu_w = 1.75},
          .curve = std::nullopt,
          .source = "model: step time and power from the physical model, no measurement"};
}

}  // namespace

std::vector<Workload> workloads() {
  std::vector<Workload> all = measured_workloads();
  const std::vector<Modelled> models{
      {"bert-tiny", 2, 128, 0.05, 512, 256},  {"bert-small", 4, 512, 0.1, 256, 256},
      {"bert-medium", 8, 512, 0.1, 128, 128}, {"bert-base", 12, 768, 0.2, 128, 128},
      {"bert-large", 24, 1024, 0.3, 32, 32},  {"distilbert", 6, 768, 0.2, 128, 128},
      {"pythia-70m", 6, 512, 0.15, 128, 128}, {"pythia-160m", 12, 768, 0.2, 64, 64},
      {"pythia-410m", 24, 1024, 0.3, 32, 32}, {"pythia-1b", 16, 2048, 0.35, 16, 16},
      {"gpt2", 12, 768, 0.25, 64, 64},
  };
  for (const auto& model : models) {
    all.push_back(modelled(model, sst2, model.sst2_batch));
    all.push_back(modelled(model, qnli, model.qnli_batch));
  }
  Workload idle;
  idle.id = "idle";
  idle.source = "nothing runs";
  all.push_back(idle);
  return all;
}

}  // namespace sweetspot
