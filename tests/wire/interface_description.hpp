// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweetspot {

/// The type of a field in a varlink interface: a name ("int", "JobSpec"), perhaps optional, a list or a map of texts.
struct IdlType {
  std::string name;
  bool optional = false;
  enum class Container { none, list, map } container = Container::none;
};
struct IdlField {
  std::string name;
  IdlType type;
};
using IdlStruct = std::vector<IdlField>;
struct IdlMethod {
  IdlStruct input;
  IdlStruct output;
};

/// A varlink interface as its description says (https://varlink.org/Interface-Definition), without anonymous types and
/// enums, which ours do not use.
struct InterfaceDescription {
  std::string name;
  std::map<std::string, IdlStruct> types;
  std::map<std::string, IdlMethod> methods;
  std::map<std::string, IdlStruct> errors;

  /// Throws std::runtime_error on anything the grammar does not allow.
  static InterfaceDescription parse(std::string_view text);

  /// What is wrong with a value of these fields: missing, unknown or of the wrong type. Empty: nothing.
  [[nodiscard]] std::string problem_in(const nlohmann::json& object, const IdlStruct& fields,
                                       const std::string& place) const;
  /// A value of a type.
  [[nodiscard]] nlohmann::json example(const IdlType& type) const;
  [[nodiscard]] nlohmann::json example(const IdlStruct& fields) const;

 private:
  [[nodiscard]] std::string problem_in(const nlohmann::json& value, const IdlType& type,
                                       const std::string& place) const;
};

}  // namespace sweetspot
