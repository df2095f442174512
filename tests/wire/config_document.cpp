// SPDX-License-Identifier: Apache-2.0
#include "wire/config_document.hpp"

#include "sweetspot/wire/config.hpp"

namespace sweetspot {
namespace {

std::string comment_of(const ConfigKey& key) {
  return key.doc + " (" + key.type + (key.range.empty() ? "" : ", " + key.range) + ")";
}

}  // namespace

std::string example_config() {
  std::string text = "// The configuration of sweetspotd: every key with its default. Keys may be left out.\n{";
  std::string group;
  std::string separator = "\n";
  for (const ConfigKey& key : config_keys()) {
    const std::size_t dot = key.path.find('.');
    const std::string key_group = dot == std::string::npos ? "" : key.path.substr(0, dot);
    if (key_group != group) {
      if (!group.empty()) text += "\n  }";
      text += (group.empty() ? separator : ",\n");
      text += "  \"" + key_group + "\": {";
      separator = "\n";
      group = key_group;
    }
    const std::string indent = group.empty() ? "  " : "    ";
    text += separator + indent + "// " + comment_of(key) + "\n" + indent + "\"" + key.path.substr(dot + 1) +
            "\": " + key.default_value;
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

std::string configuration_table() {
  std::string text = "| key | type | default | range | what it does |\n|---|---|---|---|---|\n";
  for (const ConfigKey& key : config_keys())
    text += "| `" + key.path + "` | " + key.type + " | `" + key.default_value + "` | " + key.range + " | " + key.doc +
            " |\n";
  return text;
}

}  // namespace sweetspot
