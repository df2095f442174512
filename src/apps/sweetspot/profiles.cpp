// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/profiles.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "apps/sweetspot/status_text.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/platform/folder_owner.hpp"
#include "sweetspot/wire/profiles_text.hpp"

namespace sweetspot {
namespace {

constexpr const char* reload_note = "a running service reads them anew on `systemctl reload sweetspotd`";

std::string kind_text(const ProfileKey& key) {
  std::string text = key.model_type.empty() ? "model" : printable(key.model_type);
  text += ", " + std::to_string(key.layers) + " layers";
  if (key.hidden_size > 0) text += ", hidden " + std::to_string(key.hidden_size);
  if (key.mean_length > 0) text += ", length " + std::to_string(key.mean_length);
  if (key.batch_size > 0) text += ", batch " + std::to_string(key.batch_size);
  return text;
}

std::string where_text(const ProfileKey& key) {
  return printable(key.board) + (key.power_mode.empty() ? "" : ", " + printable(key.power_mode)) + ", " +
         printable(key.rails) + ", " + printable(key.aim) + ", " + printable(key.setup);
}

std::string age_text(Duration age) {
  return age.count() < 0 ? "in the future" : duration_text(age) + " ago";
}

Result<ProfileBook> parsed(const std::optional<std::string>& text) {
  return text ? parse_profiles(*text) : ProfileBook{};
}

}  // namespace

std::string profile_id(const ProfileKey& key) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  const auto add = [&hash](const std::string& text) {
    for (const char c : text + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  };
  for (const std::string* text : {&key.model_type, &key.board, &key.power_mode, &key.rails, &key.aim, &key.setup})
    add(*text);
  for (const std::int64_t number : {key.layers, key.hidden_size, key.mean_length, key.batch_size})
    add(std::to_string(number));
  std::array<char, 8> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  const std::string text(digits.data(), end);
  return std::string(digits.size() - text.size(), '0') + text;
}

std::string profiles_table(const ProfileBook& book, std::chrono::system_clock::time_point now) {
  std::vector<const LearnedProfile*> profiles;
  for (const auto& [key, profile] : book.all()) profiles.push_back(&profile);
  std::sort(profiles.begin(), profiles.end(), [](const auto* a, const auto* b) { return a->learned < b->learned; });
  std::vector<std::vector<std::string>> rows{{"ID", "CLOCK", "J/STEP", "SPREAD", "JOBS", "LEARNED", "KIND", "WHERE"}};
  for (const LearnedProfile* profile : profiles) {
    const auto spread = profile->spread();
    rows.push_back({profile_id(profile->key), profile->clock ? to_text(*profile->clock) : "no pin",
                    fixed_text(profile->joules_per_step(), 2), spread ? percent_text(*spread) : "-",
                    std::to_string(profile->jobs),
                    age_text(std::chrono::duration_cast<Duration>(now - profile->learned)), kind_text(profile->key),
                    where_text(profile->key)});
  }
  return aligned(rows, "");
}

ProfilesCommand::ProfilesCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command("profiles", "What jobs under policy adaptive learned",
                                          "  sweetspot profiles list\n"
                                          "  sudo sweetspot profiles forget 1a2b3c4d\n"
                                          "  sweetspot profiles export -o profiles.json\n"
                                          "  sudo sweetspot profiles import profiles.json\n"
                                          "A running service reads them anew on `systemctl reload sweetspotd`.",
                                          [this] { return run(); });
  command.add_option("action", action_, "list, forget, export or import")->required()->type_name("ACTION");
  command.add_option("what", words_, "IDs to forget, as `list` shows them, or the file to import")->type_name("WHAT");
  command.add_flag("--all", all_, "Forget all of them");
  command.add_option("-o,--output", output_, "Where `export` writes instead of printing")->type_name("FILE");
  command.add_option("--state-dir", state_dir_, "The service's folder; $STATE_DIRECTORY or /var/lib/sweetspotd")
      ->type_name("DIR");
}

int ProfilesCommand::run() {
  if (action_ == "list" && words_.empty()) return list();
  if (action_ == "forget" && words_.empty() != all_) return usage_error("forget: name IDs, or say --all", "profiles");
  if (action_ == "forget") return forget();
  if (action_ == "export" && words_.empty()) return export_all();
  if (action_ == "import" && words_.size() == 1) return import_file();
  if (action_ == "import") return usage_error("import: name one file", "profiles");
  if (action_ == "list" || action_ == "export")
    return usage_error(action_ + ": takes no further word, not '" + printable(words_.front()) + "'", "profiles");
  return usage_error("'" + printable(action_) + "' is no action; expected list, forget, export or import", "profiles");
}

SharedFile ProfilesCommand::file() const {
  const char* folder = std::getenv("STATE_DIRECTORY");
  const std::string fallback = folder && *folder ? folder : "/var/lib/sweetspotd";
  return {profiles_path(state_dir_.empty() ? fallback : state_dir_), longest_profiles_bytes};
}

Result<ProfileBook> ProfilesCommand::book() const {
  const auto text = file().read();
  if (!text) return failure(Error(text.error()));
  auto book = parsed(*text);
  if (!book) return failure(std::move(book.error()).within(file().path()));
  return book;
}

int ProfilesCommand::list() const {
  const auto known = book();
  if (!known) return fail_with(known.error());
  if (program_.json) return print(profiles_text(*known));
  if (known->all().empty()) return print("nothing was learned yet\n");
  return print(profiles_table(*known, std::chrono::system_clock::now()));
}

int ProfilesCommand::export_all() const {
  const auto known = book();
  if (!known) return fail_with(known.error());
  if (output_.empty()) return print(profiles_text(*known));
  const auto written = replace_file(output_, profiles_text(*known));
  return written ? ExitCode::ok : fail_with(written.error());
}

int ProfilesCommand::forget() const {
  const SharedFile kept = file();
  if (const auto owner = become_owner_of(kept.path().substr(0, kept.path().rfind('/'))); !owner)
    return fail_with(owner.error());
  std::size_t forgotten = 0;
  const auto changed = kept.change([&](const std::optional<std::string>& before) -> Result<std::string> {
    auto old = parsed(before);
    if (!old) return failure(std::move(old.error()).within(kept.path()));
    ProfileBook left;
    std::vector<std::string> unknown = words_;
    for (const auto& [key, profile] : old->all()) {
      const std::string id = profile_id(key);
      std::erase(unknown, id);
      const bool named = all_ || std::find(words_.begin(), words_.end(), id) != words_.end();
      if (named) ++forgotten;
      if (!named) left.put(profile);
    }
    if (!unknown.empty()) return failure("no profile has the ID '" + printable(unknown.front()) + "'", EINVAL);
    return profiles_text(left);
  });
  if (!changed) return fail_with(changed.error());
  say(std::to_string(forgotten) + " forgotten; " + reload_note);
  return ExitCode::ok;
}

int ProfilesCommand::import_file() const {
  const auto text = whole_file(words_.front(), longest_profiles_bytes);
  if (!text) return fail_with(text.error());
  auto more = parse_profiles(*text);
  if (!more) return fail_with(std::move(more.error()).within(words_.front()));
  const SharedFile kept = file();
  if (const auto owner = become_owner_of(kept.path().substr(0, kept.path().rfind('/'))); !owner)
    return fail_with(owner.error());
  const auto changed = kept.change([&](const std::optional<std::string>& before) -> Result<std::string> {
    auto book = parsed(before);
    if (!book) return failure(std::move(book.error()).within(kept.path()));
    for (const auto& [key, profile] : more->all()) book->put(profile);
    return profiles_text(*book);
  });
  if (!changed) return fail_with(changed.error());
  say(std::to_string(more->all().size()) + " imported; " + reload_note);
  return ExitCode::ok;
}

}  // namespace sweetspot
