// SPDX-License-Identifier: Apache-2.0
#include "wire/error_sentence.hpp"

#include <array>
#include <string_view>

namespace sweetspot {
namespace {

struct Sentence {
  std::string_view error;
  std::string_view text;  ///< {name} stands for a parameter
};
constexpr std::array sentences{
    Sentence{"io.sweetspotd.Governor.NoSuchJob", "there is no running job {job_id}"},
    Sentence{"io.sweetspotd.Governor.NotYourJob", "job {job_id} belongs to another user"},
    Sentence{"io.sweetspotd.Governor.TooManyJobs", "too many jobs: {whose} has {limit} already, which is the limit"},
    Sentence{"io.sweetspotd.Governor.InvalidSpec", "{field}: expected {expected}"},
    Sentence{"io.sweetspotd.Governor.ClockUnavailable", "the clock cannot be set: {reason}"},
    Sentence{"io.sweetspotd.Governor.Busy", "the daemon is busy: {reason}"},
    Sentence{"org.varlink.service.InvalidParameter", "{parameter}: {expected}"},
    Sentence{"org.varlink.service.InterfaceNotFound", "the daemon has no interface {interface}"},
    Sentence{"org.varlink.service.MethodNotFound", "the daemon does not know {method}; it is probably older"},
    Sentence{"org.varlink.service.MethodNotImplemented", "the daemon does not do {method}"},
    Sentence{"org.varlink.service.ExpectedMore", "the call needs the flag 'more'"},
};

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Empty when a parameter is missing.
std::string filled(std::string_view pattern, const Json& parameters) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    const auto found = parameters.find(std::string(pattern.substr(open + 1, close - open - 1)));
    if (found == parameters.end()) return {};
    text += as_text(*found);
    pattern.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

std::string error_sentence(const std::string& name, const Json& parameters) {
  for (const Sentence& sentence : sentences) {
    if (sentence.error != name) continue;
    if (std::string text = filled(sentence.text, parameters); !text.empty()) return text;
  }
  if (parameters.empty()) return "the daemon answered " + name;
  return "the daemon answered " + name + " " + as_text(parameters);
}

}  // namespace sweetspot
