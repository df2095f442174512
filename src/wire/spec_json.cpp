// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/spec_json.hpp"

#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"

namespace sweetspot {

std::string spec_to_json(const JobSpec& spec) {
  JsonWriter out;
  write(out, spec);
  return out.take();
}

Result<JobSpec> spec_from_json(std::string_view json) {
  return read_struct<JobSpec>(json, UnknownKeys::refused, JsonRules{.comments = true});
}

const std::vector<std::string>& spec_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    const JobSpec spec;
    visit_fields(spec, [&names](const char* name, const auto&) { names.emplace_back(name); });
    return names;
  }();
  return keys;
}

}  // namespace sweetspot
