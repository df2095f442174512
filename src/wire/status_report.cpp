// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/status_report.hpp"

#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"
#include "wire/status_fields.hpp"

namespace sweetspot {

std::string status_to_json(const StatusReport& report) {
  JsonWriter out;
  write(out, report);
  return out.take();
}

Result<StatusReport> parse_status(std::string_view json) {
  return read_struct<StatusReport>(json, UnknownKeys::ignored);
}

}  // namespace sweetspot
