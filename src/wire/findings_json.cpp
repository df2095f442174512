// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/findings_json.hpp"

#include "wire/json_writer.hpp"

namespace sweetspot {

std::string_view name_of(Finding::Verdict verdict) {
  switch (verdict) {
    case Finding::Verdict::ok:
      return "ok";
    case Finding::Verdict::skip:
      return "skip";
    case Finding::Verdict::warn:
      return "warn";
    case Finding::Verdict::fail:
      return "fail";
  }
  return {};
}

std::string findings_to_json(std::span<const Finding> findings, int exit_status) {
  JsonWriter out;
  out.begin_object();
  out.key("findings");
  out.begin_array();
  for (const Finding& finding : findings) {
    out.begin_object();
    out.key("verdict");
    out.text(name_of(finding.verdict));
    out.key("check");
    out.text(finding.check);
    out.key("detail");
    out.text(finding.detail);
    out.key("fix");
    if (finding.fix.empty()) {
      out.null();
    } else {
      out.text(finding.fix);
    }
    out.end_object();
  }
  out.end_array();
  out.key("exit_status");
  out.integer(exit_status);
  out.end_object();
  return out.take();
}

}  // namespace sweetspot
