// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include "sweetspot/wire/replies.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot::tests {

// Made-up figures of a made-up job, the same in every test.

inline Decision sample_decision() {
  return {.policy = "mlg",
          .frequency = megahertz(612),
          .reason = "12 layers, mean length 48",
          .path = {"layers 12 > 7: right", "length 48 <= 53: left"},
          .clamped_from = std::nullopt,
          .fallback = false};
}

inline StartReply sample_start_reply() {
  return {.job_id = 7, .decision = sample_decision(), .applied = megahertz(612), .state = "active"};
}

inline EnergyRecord sample_record() {
  EnergyRecord record;
  record.job_id = 7;
  record.name = "lora";
  record.decision = sample_decision();
  record.applied = megahertz(612);
  record.share_at_clock = 1.0;
  record.duration = seconds(24 * 60 + 3);
  record.rails = {{"VDD_GPU_SOC", Joules{30'000}, Watts{20.8}}, {"VDD_CPU_CV", Joules{11'000}, Watts{7.6}}};
  record.energy = Joules{41'000};
  record.rails_counted = {"VDD_GPU_SOC", "VDD_CPU_CV"};
  record.mean_power = Watts{28.4};
  record.samples = 14'430;
  record.coverage = 1.0;
  record.energy_valid = true;
  record.share = Joules{41'000};
  record.owner = {.uid = ::getuid(), .pid = 4242, .comm = "python3"};
  return record;
}

inline StatusReport sample_status() {
  StatusReport report;
  report.version = "0.1.0";
  report.pid = 812;
  report.uptime = seconds(3 * 3600 + 12 * 60);
  report.board = {
      .model = "NVIDIA Jetson AGX Orin Developer Kit", .soc = "tegra234", .l4t = "36.4.7", .jetpack = "6.2.1"};
  report.power_mode = "MAXN";
  report.gpu.node = "/sys/devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu";
  report.gpu.available = {megahertz(306), megahertz(612), megahertz(1300.5)};
  report.gpu.min = megahertz(306);
  report.gpu.max = megahertz(1300.5);
  report.gpu.governor = "nvhost_podgov";
  report.clock = {.condition = "pinned",
                  .goal = megahertz(612),
                  .applied = megahertz(612),
                  .current = megahertz(612),
                  .detail = ""};
  report.settings = {.policy = "mlg",
                     .ffg = megahertz(612),
                     .arbitration = "highest",
                     .objective = "gpu+cpu",
                     .second_stage = true,
                     .pin_style = "exact",
                     .tree = std::nullopt};
  StatusReport::Job job;
  job.job_id = 7;
  job.name = "lora";
  job.state = "active";
  job.decision = sample_decision();
  job.owner = {.uid = ::getuid(), .pid = 4242, .comm = "python3"};
  job.duration = seconds(63);
  job.energy = Joules{1'830};
  job.mean_power = Watts{29.1};
  job.coverage = 1;
  report.jobs = {job};
  report.rails = {{.name = "VDD_GPU_SOC", .power = Watts{21.25}, .energy = Joules{1'340}, .counted = true},
                  {.name = "VIN_SYS_5V0", .power = std::nullopt, .energy = std::nullopt, .counted = false}};
  report.gpu_load_percent = 93;
  report.sampler = {.running = true, .period_ms = 100, .samples = 630};
  return report;
}

}  // namespace sweetspot::tests
