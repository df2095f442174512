// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/record_json.hpp"

#include "wire/field_reader.hpp"
#include "wire/field_writer.hpp"

namespace sweetspot {

std::string record_to_json(const EnergyRecord& record) {
  JsonWriter out;
  write(out, record);
  return out.take();
}

Result<EnergyRecord> record_from_json(std::string_view json) {
  return read_struct<EnergyRecord>(json, UnknownKeys::ignored);
}

std::string decision_to_json(const Decision& decision) {
  JsonWriter out;
  write(out, decision);
  return out.take();
}

Result<Decision> decision_from_json(std::string_view json) {
  return read_struct<Decision>(json, UnknownKeys::ignored);
}

}  // namespace sweetspot
