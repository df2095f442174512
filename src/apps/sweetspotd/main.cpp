// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "service/config_file.hpp"
#include "service/daemon.hpp"
#include "service/log.hpp"
#include "service/restore.hpp"
#include "service/version.hpp"
#include "sweetspot/platform/folder_owner.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/grant_access.hpp"

// sweetspotd: holds the GPU clock of a Jetson board where fine-tuning costs least energy, and measures what it costs.
namespace sweetspot {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr int exit_no_hardware = 3;

struct Options {
  DaemonPlaces places;
  std::string grant_group;
  bool check_config = false;
  bool restore = false;
};

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

int fail(const Error& error) {
  std::fprintf(stderr, "sweetspotd: %s\n", error.message.c_str());
  return exit_failure;
}

/// The same, where `systemctl status` shows it however long the journal grows.
int fail_to_serve(const Error& error) {
  (void)sd_notify(0, ("STATUS=" + error.message).c_str());
  return fail(error);
}

int check_config(const Options& options) {
  const auto config = load_config(options.places.config_path);
  if (!config) return fail(config.error());
  const std::string file = options.places.config_path.value_or(default_config_path);
  const bool there = ::access(file.c_str(), F_OK) == 0;
  std::printf(there ? "configuration is good: %s\n" : "no %s: the defaults hold\n", file.c_str());
  return 0;
}

int restore(const Options& options) {
  // Root's hand would leave files that the daemon's user cannot open.
  if (const auto done = become_owner_of(options.places.runtime_dir); !done) return fail(done.error());
  const auto notes = restore_clock(options.places.sysfs_root, options.places.runtime_dir);
  if (!notes) return fail(notes.error());
  for (const std::string& note : *notes) std::printf("%s\n", note.c_str());
  return 0;
}

int grant(const Options& options) {
  const FileAttributes board(options.places.sysfs_root);
  const auto config = load_config(options.places.config_path);
  if (!config) return fail(config.error());
  const auto folder = find_gpu_folder(board, config->clock.gpu_node);
  if (!folder) {
    fail(folder.error());
    return exit_no_hardware;
  }
  if (const auto granted = grant_access(board, *folder, options.grant_group); !granted) return fail(granted.error());
  std::printf("group %s may write min_freq and max_freq of %s\n", options.grant_group.c_str(), folder->c_str());
  return 0;
}

void allow_many_descriptors() {
  // One descriptor per connection and one per job; the soft limit of 1024 is for programs that use select().
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

int serve(Options options) {
  open_log();
  auto config = load_config(options.places.config_path);
  if (!config) return fail_to_serve(config.error());
  allow_many_descriptors();
  auto loop = EventLoop::create();
  if (!loop) return fail_to_serve(loop.error());
  auto daemon = Daemon::create(*loop, std::move(options.places), *std::move(config));
  if (!daemon) return fail_to_serve(daemon.error());
  const int status = loop->run();
  // A thread that hangs in the board's driver cannot be joined; what it left, systemd's ExecStopPost restores.
  if ((*daemon)->has_stuck_thread()) std::_Exit(status);
  return status;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--config", options.places.config_path,
                 "Configuration file (default: " + std::string(default_config_path) + ", if it exists)");
  app.add_option("--socket", options.places.socket_path, "Socket to listen on, unless systemd passes one")
      ->capture_default_str();
  app.add_option("--sysfs-root", options.places.sysfs_root, "Folder that holds the board's sys, etc and var");
  app.add_option("--runtime-dir", options.places.runtime_dir, "Folder of the saved clock and the lock (0700)")
      ->capture_default_str();
  app.add_option(
         "--state-dir", options.places.state_dir,
         "Folder of history.db, the jobs that ended, and profiles.json, what jobs learned (made 0750 if there is none)")
      ->capture_default_str();
  app.add_option("--grant-access", options.grant_group, "Let GROUP write the GPU's clock limits, then exit")
      ->type_name("GROUP");
  app.add_flag("--check-config", options.check_config, "Check the configuration, then exit");
  app.add_flag("--restore", options.restore, "Give back the clock that a dead daemon left pinned, then exit");
  app.add_flag("--dry-run", options.places.dry_run, "Decide and measure, but never write the clock");
  app.set_version_flag("--version", std::string("sweetspotd ") + version_text);
  app.footer(
      "Signals: SIGTERM restores the clock and stops, or hands jobs and clock to the next daemon where systemd\n"
      "restarts the unit; SIGHUP reads the configuration anew.\n"
      "Exit status: 0 good, 1 failure, 2 usage, 3 no GPU devfreq node.");
}

int run(int argc, char** argv) {
  Options options;
  options.places.socket_path = from_environment("SWEETSPOT_SOCKET", "/run/sweetspotd/io.sweetspotd.Governor");
  options.places.runtime_dir = from_environment("RUNTIME_DIRECTORY", "/run/sweetspotd-private");
  options.places.state_dir = from_environment("STATE_DIRECTORY", "/var/lib/sweetspotd");
  CLI::App app{
      "Holds the GPU clock of a Jetson board where fine-tuning costs least energy, and measures what it costs.",
      "sweetspotd"};
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (options.check_config) return check_config(options);
  if (options.restore) return restore(options);
  if (!options.grant_group.empty()) return grant(options);
  return serve(std::move(options));
}

}  // namespace
}  // namespace sweetspot

int main(int argc, char** argv) {
  return sweetspot::run(argc, argv);
}
