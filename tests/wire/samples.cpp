// SPDX-License-Identifier: Apache-2.0
#include "wire/samples.hpp"

#include <array>

namespace sweetspot {

std::string Samples::text() {
  // Everything JSON has to escape, and everything UTF-8 has.
  static const std::array<std::string, 12> pieces{"a",    "VDD_GPU_SOC", "\"", "\\", "\n",   "\t",
                                                  "\x01", "\x7f",        "ä",  "語", "🙂", "/"};
  std::string text;
  for (std::int64_t i = whole(0, 6); i > 0; --i) text += pieces[static_cast<std::size_t>(whole(0, pieces.size() - 1))];
  return text;
}

Decision Samples::decision() {
  return Decision{.policy = text(),
                  .frequency = maybe([&] { return clock(); }),
                  .reason = text(),
                  .path = some([&] { return text(); }),
                  .clamped_from = maybe([&] { return clock(); }),
                  .fallback = chance()};
}

EnergyRecord Samples::record() {
  const auto joules = [&] { return Joules{real()}; };
  const auto watts = [&] { return Watts{real()}; };
  const auto label = [&] { return text(); };
  EnergyRecord record;
  record.job_id = whole(1, 1'000'000);
  record.name = maybe(label);
  record.decision = decision();
  record.applied = maybe([&] { return clock(); });
  record.share_at_clock = maybe([&] { return real(); });
  record.started = date();
  record.duration = duration();
  record.steps = maybe([&] { return whole(0, 1'000'000); });
  record.rails = some([&] { return RailEnergy{text(), maybe(joules), maybe(watts)}; });
  record.energy = maybe(joules);
  record.rails_counted = some(label);
  record.rails_left_out = some(label);
  record.mean_power = maybe(watts);
  record.samples = static_cast<std::uint64_t>(whole(0, 1'000'000'000));
  record.coverage = real();
  record.longest_gap = duration();
  record.energy_valid = chance();
  record.gpu_load_mean = maybe([&] { return real(); });
  record.shared_with = whole(0, 1000);
  record.share = maybe(joules);
  record.power_mode = maybe(label);
  record.board = maybe(label);
  record.ended_by = static_cast<EndedBy>(whole(0, 3));
  record.owner =
      Owner{static_cast<std::uint32_t>(whole(0, 4'294'967'295)), static_cast<std::int32_t>(whole(0, 4194304)), text()};
  return record;
}

JobSpec Samples::spec() {
  const auto label = [&] { return text(); };
  const auto count = [&] { return whole(-5, 1'000'000); };
  const auto number = [&] { return real(); };
  JobSpec spec;
  spec.name = maybe(label);
  spec.model_type = maybe(label);
  spec.layers = maybe(count);
  spec.hidden_size = maybe(count);
  spec.mean_sequence_length = maybe(number);
  spec.batch_size = maybe(count);
  spec.total_steps = maybe(count);
  spec.policy = maybe(label);
  spec.frequency = maybe([&] { return clock(); });
  spec.objective = maybe(label);
  spec.rails = maybe([&] { return some(label); });
  spec.max_slowdown = maybe(number);
  spec.finish_within_s = maybe(number);
  spec.energy_delay = maybe([&] { return chance(); });
  spec.pid = maybe(count);
  spec.lease_s = maybe(number);
  for (std::int64_t i = whole(0, 3); i > 0; --i) spec.tags[text()] = text();
  return spec;
}

StatusReport::Job Samples::job() {
  StatusReport::Job job;
  job.job_id = whole(1, 1000);
  job.name = maybe([&] { return text(); });
  job.state = text();
  job.decision = decision();
  job.owner = Owner{1000, 4711, text()};
  job.started = date();
  job.duration = duration();
  job.steps = maybe([&] { return whole(0, 1000); });
  job.energy = maybe([&] { return Joules{real()}; });
  job.mean_power = maybe([&] { return Watts{real()}; });
  job.coverage = real();
  job.shared_with = whole(0, 9);
  job.lease_left = maybe([&] { return duration(); });
  job.measured = maybe([&] {
    return some([&] { return MeasuredClock{maybe([&] { return clock(); }), real(), real(), real(), real()}; });
  });
  return job;
}

StatusReport Samples::status() {
  const auto label = [&] { return text(); };
  const auto hertz = [&] { return clock(); };
  StatusReport report;
  report.version = text();
  report.pid = static_cast<std::int32_t>(whole(1, 4194304));
  report.uptime = duration();
  report.board = {maybe(label), maybe(label), maybe(label), maybe(label)};
  report.power_mode = maybe(label);
  report.gpu = {maybe(label), some(hertz), maybe(hertz), maybe(hertz), maybe(label), maybe(hertz)};
  report.clock = {text(), maybe(hertz), maybe(hertz), maybe(hertz), text()};
  report.settings = {text(), clock(), text(), text(), chance(), text(), maybe(label)};
  report.jobs = some([&] { return job(); });
  report.rails = some([&] {
    return StatusReport::Rail{text(), maybe([&] { return Watts{real()}; }), maybe([&] { return Joules{real()}; }),
                              chance()};
  });
  report.rails_left_out = some([&] { return StatusReport::RailLeftOut{text(), text()}; });
  report.gpu_load_percent = maybe([&] { return real(); });
  report.sampler = {chance(), whole(5, 10000), static_cast<std::uint64_t>(whole(0, 1000))};
  report.health = some([&] { return StatusReport::Trouble{text(), text(), duration()}; });
  report.connections = whole(0, 1024);
  report.watchers = whole(0, 16);
  report.oneway_errors = whole(0, 16);
  return report;
}

EnergyRecord full_record() {
  const auto started = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'783'503'000'250));
  return EnergyRecord{.job_id = 7,
                      .name = "bert-base on MNLI",
                      .decision = {"mlg", megahertz(816), "layers 12 > 7", {"layers 12 > 7"}, megahertz(1300.5), false},
                      .applied = megahertz(816),
                      .share_at_clock = 0.998,
                      .started = started,
                      .duration = seconds(1443.25),
                      .steps = 3274,
                      .rails = {{"VDD_GPU_SOC", Joules{38'000}, Watts{26.3}}, {"VDD_CPU_CV", Joules{3000}, Watts{2.1}}},
                      .energy = Joules{41'000},
                      .rails_counted = {"VDD_GPU_SOC", "VDD_CPU_CV"},
                      .rails_left_out = {"VIN_SYS_5V0"},
                      .mean_power = Watts{28.4},
                      .samples = 14433,
                      .coverage = 1,
                      .longest_gap = seconds(0.25),
                      .energy_valid = true,
                      .gpu_load_mean = 97.5,
                      .shared_with = 1,
                      .share = Joules{20'500},
                      .power_mode = "MAXN",
                      .board = "NVIDIA Jetson AGX Orin Developer Kit",
                      .ended_by = EndedBy::client,
                      .owner = {1000, 4711, "python3"}};
}

JobSpec full_spec() {
  return JobSpec{.name = "bert",
                 .model_type = "bert",
                 .layers = 12,
                 .hidden_size = 768,
                 .mean_sequence_length = 51.5,
                 .batch_size = 128,
                 .total_steps = 3274,
                 .policy = "fixed",
                 .frequency = megahertz(612),
                 .objective = "gpu+cpu",
                 .rails = std::vector<std::string>{"VDD_GPU_SOC"},
                 .max_slowdown = 1.5,
                 .finish_within_s = 3600,
                 .pid = 4711,
                 .lease_s = 60,
                 .tags = {{"task", "mnli"}}};
}

StatusReport full_status() {
  const EnergyRecord record = full_record();
  StatusReport report;
  report.version = "0.1.0";
  report.pid = 99;
  report.uptime = seconds(60);
  report.board = {"NVIDIA Jetson AGX Orin Developer Kit", "tegra234", "36.4.7", "6.2.1"};
  report.power_mode = "MAXN";
  report.gpu = {"/sys/class/devfreq/17000000.gpu",
                {megahertz(306), megahertz(1300.5)},
                megahertz(306),
                megahertz(1300.5),
                "nvhost_podgov",
                megahertz(816)};
  report.clock = {"pinned", megahertz(816), megahertz(816), megahertz(816), "as wanted"};
  report.settings = {"mlg", megahertz(612), "highest", "gpu+cpu", true, "exact", "mlg"};
  report.jobs = {{7, "bert", "active", record.decision, record.owner, record.started, seconds(10), 20, Joules{280},
                  Watts{28}, 1, 0, seconds(50)}};
  report.rails = {{"VDD_GPU_SOC", Watts{26.3}, Joules{280}, true}, {"VIN_SYS_5V0", std::nullopt, std::nullopt, false}};
  report.rails_left_out = {{"NC", "not connected"}};
  report.gpu_load_percent = 97.5;
  report.sampler = {true, 100, 100};
  report.health = {{"rival", "max_freq was written by another program", seconds(3)}};
  report.connections = 2;
  report.watchers = 1;
  report.oneway_errors = 3;
  return report;
}

}  // namespace sweetspot
