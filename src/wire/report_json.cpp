// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/report_json.hpp"

#include "wire/field_writer.hpp"

namespace sweetspot {

void visit_fields(Either<ReportWritten> auto& report, auto&& visit) {
  visit("output", report.output);
  visit("bytes", report.bytes);
  visit("workloads", report.workloads);
  visit("workloads_drawn", report.workloads_drawn);
  visit("trees", report.trees);
  visit("jobs", report.jobs);
  visit("service", report.service);
}

std::string report_json(const ReportWritten& report) {
  JsonWriter out;
  write(out, report);
  return out.take();
}

}  // namespace sweetspot
