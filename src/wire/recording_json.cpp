// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/recording_json.hpp"

#include "wire/json_writer.hpp"

namespace sweetspot {

std::string recording_report_json(const RecordingReport& report) {
  JsonWriter out;
  out.begin_object();
  out.key("file");
  out.text(report.file);
  out.key("name");
  out.text(report.name);
  out.key("files");
  out.natural(report.files);
  out.key("links");
  out.natural(report.links);
  out.key("identifiers_removed");
  out.natural(report.identifiers_removed);
  out.key("unreadable");
  out.begin_array();
  for (const std::string& path : report.unreadable) out.text(path);
  out.end_array();
  out.key("has_gpu");
  out.boolean(report.has_gpu);
  out.end_object();
  return out.take();
}

}  // namespace sweetspot
