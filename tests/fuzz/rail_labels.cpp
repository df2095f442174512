// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <set>

#include "sweetspot/core/rail_choice.hpp"
#include "sweetspot/platform/rails.hpp"
#include "tests/fuzz/properties.hpp"

// Power monitors whose labels and readings are anything. Each line of the input is one file of the board, in a fixed
// order; the first byte chooses the driver.
namespace sweetspot::fuzz {
namespace {

struct Driver {
  const char* name;
  const char* below;
  std::array<const char*, 9> files;
};
constexpr std::array<Driver, 3> drivers{{
    {"ina3221",
     "/hwmon/hwmon2/",
     {"in1_label", "in2_label", "in3_label", "in1_input", "curr1_input", "in2_input", "curr2_input", "in3_input",
      "curr3_input"}},
    {"ina3221x",
     "/iio:device0/",
     {"rail_name_0", "rail_name_1", "rail_name_2", "in_power0_input", "in_power1_input", "in_power2_input", nullptr,
      nullptr, nullptr}},
    {"ina238",
     "/hwmon/hwmon5/",
     {"power1_label", "label", "power1_input", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}},
}};

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// The files of a board by their whole paths, and nothing else: fast, since it is made anew for every input.
class Files final : public Attributes {
 public:
  explicit Files(std::string_view input) {
    Choices choices(input);
    const std::uint8_t choice = choices.next();
    const Driver& driver = drivers[choice % drivers.size()];
    std::string_view rest = choices.rest();
    driver_ = std::string("/sys/bus/i2c/drivers/") + driver.name;
    for (const char* device : {"1-0040", "1-0041"}) {
      if (rest.empty()) return;
      devices_.emplace_back(device);
      for (const char* file : driver.files) {
        if (file != nullptr && !rest.empty())
          files_.emplace_back(driver_ + "/" + device + driver.below + file, take_line(rest));
      }
    }
  }

  Result<std::string> read(const std::string& path) const override {
    for (const auto& [name, text] : files_) {
      if (name == path) return std::string(text);
    }
    return failure(path, ENOENT);
  }
  Result<void> write(const std::string& path, const std::string& /*text*/) override { return failure(path, EACCES); }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    if (folder == driver_) return devices_;
    for (const auto& [name, text] : files_) {
      if (name.size() <= folder.size() || name[folder.size()] != '/' || name.compare(0, folder.size(), folder) != 0)
        continue;
      const std::size_t start = folder.size() + 1;
      return std::vector<std::string>{name.substr(start, name.find('/', start) - start)};
    }
    return failure(folder, ENOENT);
  }
  Result<std::string> real_path(const std::string& path) const override { return path; }
  bool exists(const std::string& path) const override { return read(path).has_value(); }
  Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const override {
    const auto text = read(path);
    if (!text) return failure(Error(text.error()));
    return std::make_unique<OpenText>(*text);
  }
  std::optional<bool> written_since_last_asked(const std::string& /*path*/) override { return std::nullopt; }

 private:
  struct OpenText final : OpenAttribute {
    explicit OpenText(std::string what) : text(std::move(what)) {}
    Result<std::string_view> read(std::span<char> buffer) const override {
      if (text.size() > buffer.size()) return failure("too long", EFBIG);
      text.copy(buffer.data(), text.size());
      return std::string_view(buffer.data(), text.size());
    }
    std::string text;
  };
  std::string driver_;
  std::vector<std::string> devices_;
  std::vector<std::pair<std::string, std::string_view>> files_;
};

void check_choice(const std::vector<std::string>& labels, const RailsWanted& wanted) {
  const auto choice = choose_rails(labels, wanted);
  if (!choice) return require(!choice.error().message.empty(), "a choice that cannot be made has a reason");
  require(choice->counted.size() == choice->counted_names.size(), "every counted rail has a name");
  require(choice->counted.size() + choice->left_out.size() == labels.size(), "every rail is counted or left out");
  for (std::size_t i = 0; i < choice->counted.size(); ++i) {
    require(i == 0 || choice->counted[i - 1] < choice->counted[i], "no rail is counted twice");
    require(labels.at(choice->counted[i]) == choice->counted_names[i], "the names are those of the rails");
  }
}

void check_reading(const Attributes& board, const RailSource& rail) {
  auto reader = RailReader::open(board, rail);
  if (!reader) return;
  const auto power = reader->read();
  if (!power) return require(!power.error().message.empty(), "a failed reading has a reason");
  require(std::isfinite(power->value), "power is finite");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const Files board(as_text(bytes, size));
  const RailsFound found = find_rails(board);
  std::vector<std::string> labels;
  for (const RailSource& rail : found.rails) {
    require(!rail.label.empty() && is_utf8(rail.label) && is_quiet(rail.label), "a label is text");
    require(!rail.files.empty(), "a rail has files");
    labels.push_back(rail.label);
    check_reading(board, rail);
  }
  require(std::set<std::string>(labels.begin(), labels.end()).size() == labels.size(), "no two rails have one label");
  for (const RailLeftOut& rail : found.left_out) require(!rail.reason.empty(), "what is left out has a reason");
  check_choice(labels, {.objective = Objective::gpu_and_cpu});
  check_choice(labels, {.objective = Objective::module});
  if (!labels.empty()) check_choice(labels, {.labels = {{labels.back(), labels.front(), labels.back()}}});
  return 0;
}
