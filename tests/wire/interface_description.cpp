// SPDX-License-Identifier: Apache-2.0
#include "wire/interface_description.hpp"

#include <regex>
#include <stdexcept>

namespace sweetspot {
namespace {

const std::regex field_name("[A-Za-z](_?[A-Za-z0-9])*");
const std::regex symbol_name("[A-Z][A-Za-z0-9]*");
const std::regex interface_name("[A-Za-z](-*[A-Za-z0-9])*(\\.[A-Za-z0-9](-*[A-Za-z0-9])*)+");

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  InterfaceDescription interface() {
    InterfaceDescription result;
    expect("interface");
    result.name = matching(interface_name, word(".-"));
    while (!at_end()) {
      const std::string kind = word();
      const std::string name = matching(symbol_name, word());
      bool fresh = false;
      if (kind == "type") {
        fresh = result.types.emplace(name, fields()).second;
      } else if (kind == "error") {
        fresh = result.errors.emplace(name, fields()).second;
      } else if (kind == "method") {
        IdlMethod method{fields(), {}};
        expect("->");
        method.output = fields();
        fresh = result.methods.emplace(name, method).second;
      }
      if (!fresh) fail("'" + kind + " " + name + "' is no new type, method or error");
    }
    return result;
  }

 private:
  IdlStruct fields() {
    IdlStruct result;
    expect("(");
    if (takes(")")) return result;
    do {
      const std::string name = matching(field_name, word("_"));
      for (const IdlField& other : result) {
        if (other.name == name) fail(name + " stands there twice");
      }
      expect(":");
      result.push_back({name, type()});
    } while (takes(","));
    expect(")");
    return result;
  }

  IdlType type() {
    IdlType result;
    result.optional = takes("?");
    if (takes("[string]")) {
      result.container = IdlType::Container::map;
    } else if (takes("[]")) {
      result.container = IdlType::Container::list;
    }
    result.name = word();
    return result;
  }

  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool takes(std::string_view mark) {
    skip();
    if (!text_.substr(at_).starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }
  void expect(std::string_view mark) {
    if (!takes(mark)) fail("expected '" + std::string(mark) + "'");
  }
  std::string word(std::string_view also = "") {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  also.find(text_[at_]) != std::string_view::npos))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string matching(const std::regex& pattern, const std::string& name) {
    if (!std::regex_match(name, pattern)) fail("'" + name + "' is not a name");
    return name;
  }
  [[noreturn]] void fail(const std::string& why) {
    throw std::runtime_error(why + " before: " + std::string(text_.substr(at_, 40)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

InterfaceDescription InterfaceDescription::parse(std::string_view text) {
  return Parser(text).interface();
}

std::string InterfaceDescription::problem_in(const nlohmann::json& object, const IdlStruct& fields,
                                             const std::string& place) const {
  if (!object.is_object()) return place + " is no object";
  std::size_t present = 0;
  for (const IdlField& field : fields) {
    const std::string here = place + "." + field.name;
    if (!object.contains(field.name)) {
      if (!field.type.optional) return here + " is missing";
      continue;
    }
    ++present;
    if (std::string problem = problem_in(object[field.name], field.type, here); !problem.empty()) return problem;
  }
  return present == object.size() ? "" : place + " has fields the interface does not name: " + object.dump();
}

std::string InterfaceDescription::problem_in(const nlohmann::json& value, const IdlType& type,
                                             const std::string& place) const {
  if (type.optional && value.is_null()) return "";
  const IdlType element{type.name};
  if (type.container == IdlType::Container::list || type.container == IdlType::Container::map) {
    const bool is_list = type.container == IdlType::Container::list;
    if (is_list ? !value.is_array() : !value.is_object()) return place + " is no " + (is_list ? "list" : "map");
    for (const auto& item : value.items()) {
      if (std::string problem = problem_in(item.value(), element, place + "[" + item.key() + "]"); !problem.empty())
        return problem;
    }
    return "";
  }
  if (types.contains(type.name)) return problem_in(value, types.at(type.name), place);
  const bool right = (type.name == "int" && value.is_number_integer()) || (type.name == "bool" && value.is_boolean()) ||
                     (type.name == "float" && value.is_number_float()) || (type.name == "string" && value.is_string());
  return right ? "" : place + " is no " + type.name + ": " + value.dump();
}

nlohmann::json InterfaceDescription::example(const IdlType& type) const {
  const IdlType element{type.name};
  if (type.container == IdlType::Container::list) return nlohmann::json::array({example(element)});
  if (type.container == IdlType::Container::map) return {{"key", example(element)}};
  if (types.contains(type.name)) return example(types.at(type.name));
  if (type.name == "int") return 7;
  if (type.name == "bool") return true;
  if (type.name == "float") return 7.5;
  if (type.name == "string") return "text";
  throw std::runtime_error("no such type: " + type.name);
}

nlohmann::json InterfaceDescription::example(const IdlStruct& fields) const {
  nlohmann::json object = nlohmann::json::object();
  for (const IdlField& field : fields) object[field.name] = example(field.type);
  return object;
}

}  // namespace sweetspot
