// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/metrics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "wire/samples.hpp"

namespace sweetspot {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Checks the text exposition format: HELP, TYPE, then samples of that family; no family twice, no sample twice, no
/// timestamps.
void expect_exposition(const std::string& text) {
  static const std::regex sample(
      R"re(([a-z_]+)(\{[a-z_]+="([^"\\\n]|\\\\|\\"|\\n)*"(,[a-z_]+="([^"\\\n]|\\\\|\\"|\\n)*")*\})? (-?[0-9.e+-]+))re");
  ASSERT_TRUE(text.ends_with("\n"));
  std::set<std::string> families;
  std::set<std::string> series;
  std::string family;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (line.starts_with("# HELP ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(families.insert(family).second) << family << " twice";
    } else if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(line == "# TYPE " + family + " gauge" || line == "# TYPE " + family + " counter") << line;
      EXPECT_EQ(line.ends_with("counter"), family.ends_with("_total")) << line;
    } else {
      ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
      EXPECT_EQ(match[1], family) << line;
      EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << line;
    }
  }
}

TEST(Metrics, WritesTheExpositionFormat) {
  expect_exposition(metrics_text(full_status()));
}

TEST(Metrics, WritesTheExpositionFormatWhateverTheNamesAre) {
  StatusReport report = full_status();
  report.jobs[0].name = "a \"quoted\" \\ name\nof two lines";
  report.rails[0].name = "VDD\"\\";
  expect_exposition(metrics_text(report));
}

TEST(Metrics, HasNoLineForWhatIsNotKnown) {
  const std::string text = metrics_text(full_status());
  EXPECT_NE(text.find("sweetspot_rail_power_watts{rail=\"VDD_GPU_SOC\"} 26.3\n"), std::string::npos);
  EXPECT_EQ(text.find("sweetspot_rail_power_watts{rail=\"VIN_SYS_5V0\"}"), std::string::npos);
  EXPECT_EQ(metrics_text(StatusReport{}).find("sweetspot_rail_power_watts"), std::string::npos);
}

TEST(Metrics, UsesBaseUnits) {
  const std::string text = metrics_text(full_status());
  EXPECT_NE(text.find("sweetspot_gpu_clock_applied_hertz 816000000\n"), std::string::npos);
  EXPECT_NE(text.find("sweetspot_gpu_load_ratio 0.975\n"), std::string::npos);
  EXPECT_NE(text.find("sweetspot_job_energy_joules{job_id=\"7\",name=\"bert\"} 280\n"), std::string::npos);
}

TEST(Metrics, SaysWhetherAllIsWell) {
  EXPECT_NE(metrics_text(StatusReport{}).find("sweetspot_healthy 1\n"), std::string::npos);
  const std::string text = metrics_text(full_status());
  EXPECT_NE(text.find("sweetspot_healthy 0\n"), std::string::npos);
  EXPECT_NE(text.find("sweetspot_trouble_seconds{reason=\"rival\"} 3\n"), std::string::npos);
}

}  // namespace
}  // namespace sweetspot
