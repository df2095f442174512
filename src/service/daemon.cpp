// SPDX-License-Identifier: Apache-2.0
#include "service/daemon.hpp"

#include <sys/epoll.h>
#include <systemd/sd-daemon.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "service/config_file.hpp"
#include "service/journal.hpp"
#include "service/listening_socket.hpp"
#include "service/log.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/wire/replies.hpp"

namespace sweetspot {
namespace {

constexpr Duration look_period = seconds(10);  // while the rails are missing
constexpr Duration first_look_patience = seconds(1);

VarlinkServer::Limits server_limits(const Config& config) {
  return {.connections = config.limits.connections,
          .connections_per_uid = config.limits.connections_per_uid,
          .backlog_bytes = config.limits.reply_backlog_bytes};
}

}  // namespace

Result<std::unique_ptr<Daemon>> Daemon::create(EventLoop& loop, DaemonPlaces places, Config config) {
  auto lock = RuntimeLock::acquire(places.runtime_dir);
  if (!lock) return failure(std::move(lock.error()));
  std::unique_ptr<Daemon> daemon(new Daemon(loop, std::move(places), std::move(config), *std::move(lock)));
  if (auto opened = daemon->open(); !opened) return failure(std::move(opened.error()));
  return daemon;
}

Daemon::Daemon(EventLoop& loop, DaemonPlaces places, Config config, RuntimeLock lock)
    : loop_(loop),
      places_(std::move(places)),
      config_(std::move(config)),
      lock_(std::move(lock)),
      began_(EventLoop::now()),
      governor_(config_.governor),
      profiles_(places_.state_dir),
      holders_(loop, [this](JobId job) {
        governor_.lose(job, EndedBy::lost, EventLoop::now());
        reconcile();
      }) {}

Daemon::~Daemon() = default;

Result<void> Daemon::open() {
  passed_ = take_passed_descriptors();
  std::optional<Handover> handover = find_handover();
  auto ledger = JobLedger::open(places_.runtime_dir);
  if (!ledger) return failure(std::move(ledger.error()));
  ledger_ = std::move(ledger->ledger);
  tell_lost(ledger->lost, handover);
  use_governor_settings();
  load_profiles();
  // Signals are blocked before any thread starts, so that only the loop gets them.
  if (auto opened = open_signals(); !opened) return opened;
  if (auto opened = open_server(); !opened) return opened;
  if (auto opened = open_bells(); !opened) return opened;
  follow_uevents();
  std::optional<EnergyMeter> meter;
  const bool goes_on = handover.has_value();
  if (handover) meter = take_over(*std::move(handover));
  start_threads(std::move(meter));
  loop_.follow_watchdog();
  if (auto opened = open_first_look_limit(); !opened) return opened;
  forget_stored();
  if (goes_on) reconcile();
  return {};
}

/// Jobs that a dead daemon left without an end, said once. Those handed over go on.
void Daemon::tell_lost(const std::vector<LostJob>& jobs, const std::optional<Handover>& handover) {
  for (const LostJob& job : jobs) {
    const auto same = [&job](const Job& one) { return one.id == job.id; };
    if (handover && std::any_of(handover->governor.jobs.begin(), handover->governor.jobs.end(), same)) continue;
    const JournalEntry entry = journal_entry_for_lost(job);
    send_to_journal(entry);
    log_entry(entry);
  }
}

void Daemon::start_threads(std::optional<EnergyMeter> meter) {
  // A goal before the first event is one that the last daemon pinned and this one goes on with.
  ordered_goal_ = governor_.goal();
  clock_worker_ = std::make_unique<ClockWorker>(ClockWorker::Places{places_.sysfs_root, places_.runtime_dir},
                                                clock_settings(), *clock_bell_, ordered_goal_);
  if (!meter) meter.emplace(governor_.board().rails.size(), sampler_settings().longest_step);
  sampler_ = std::make_unique<Sampler>(places_.sysfs_root, sampler_settings(), *sampler_bell_,
                                       Sampler::Inherited{*std::move(meter), governor_.board().rails});
}

Result<void> Daemon::open_first_look_limit() {
  auto limit = loop_.add_timer("first look", [this] {
    clock_looked_ = rails_looked_ = true;
    announce_ready();
    reconcile();
  });
  if (!limit) return failure(std::move(limit.error()));
  first_look_limit_ = *std::move(limit);
  first_look_limit_.arm(EventLoop::now() + first_look_patience);
  return {};
}

/// Ready means that the socket answers and that a pin left by a dead predecessor has been given back, or tried to: a
/// board that hangs is not waited for. Calls that need the board wait for its first look themselves.
void Daemon::announce_ready() {
  if (ready_told_) return;
  ready_told_ = true;
  (void)sd_notify(0, "READY=1");
}

Result<void> Daemon::open_server() {
  auto listener = listening_socket(places_.socket_path, std::move(passed_.sockets));
  if (!listener) return failure(std::move(listener.error()));
  VarlinkServer::Handlers handlers{
      .call = [this](ConnectionId id, const Peer& peer, Call call) { on_call(id, peer, std::move(call)); },
      .oneway_refused = [this] { ++oneway_errors_; },
      .gone = [this](ConnectionId id) { on_gone(id); }};
  auto server = VarlinkServer::create(loop_, *std::move(listener), server_limits(config_), std::move(handlers));
  if (!server) return failure(std::move(server.error()));
  server_ = *std::move(server);
  auto feed = WatchFeed::create(loop_, *server_, [this] {
    const Sampler::News news = sampler_->news();
    WatchSample sample;
    const auto& last = news.meter.last();
    for (std::size_t i = 0; i < news.rails.size(); ++i)
      sample.rails.push_back({news.rails[i], last ? last->rails[i] : std::nullopt});
    if (last) sample.gpu_load_percent = last->gpu_load_percent;
    sample.clock = governor_.clock().current;
    return sample;
  });
  if (!feed) return failure(std::move(feed.error()));
  watch_feed_ = *std::move(feed);
  return {};
}

Result<void> Daemon::open_bells() {
  const auto hang = [this](std::optional<Wakeup>& bell, const char* name, void (Daemon::*on_news)()) -> Result<void> {
    auto made = Wakeup::create();
    if (!made) return failure(std::move(made.error()));
    bell = *std::move(made);
    auto source = loop_.add_io(bell->fd(), EPOLLIN, name, [this, &bell, on_news](std::uint32_t) {
      bell->take();
      (this->*on_news)();
    });
    if (!source) return failure(std::move(source.error()));
    sources_.push_back(*std::move(source));
    return {};
  };
  if (auto hung = hang(clock_bell_, "clock news", &Daemon::on_clock_news); !hung) return hung;
  if (auto hung = hang(sampler_bell_, "sampler news", &Daemon::on_sampler_news); !hung) return hung;
  if (auto hung = hang(history_bell_, "history news", &Daemon::on_history_news); !hung) return hung;
  auto history = HistoryKeeper::create(history_settings(), *history_bell_);
  if (!history) return failure(std::move(history.error()));
  history_ = *std::move(history);
  auto deadline = loop_.add_timer("deadline", [this] { on_deadline(); });
  if (!deadline) return failure(std::move(deadline.error()));
  deadline_ = *std::move(deadline);
  auto look = loop_.add_timer("look for rails", [this] { on_look_time(); });
  if (!look) return failure(std::move(look.error()));
  look_timer_ = *std::move(look);
  return {};
}

Result<void> Daemon::open_signals() {
  struct Handler {
    int signal;
    const char* name;
    std::function<void()> act;
  };
  const Handler handlers[] = {{SIGTERM, "SIGTERM", [this] { on_sigterm(); }},
                              {SIGINT, "SIGINT", [this] { begin_stop("SIGINT"); }},
                              {SIGHUP, "SIGHUP", [this] { reload(); }}};
  for (const Handler& handler : handlers) {
    auto source = loop_.add_signal(handler.signal, handler.name, handler.act);
    if (!source) return failure(std::move(source.error()));
    sources_.push_back(*std::move(source));
  }
  return {};
}

/// A machine sends uevents about anything plugged in; a daemon that misses nothing is not woken by them.
void Daemon::follow_uevents() {
  const bool missing = !clock_view_.node || governor_.health().troubles().count(HealthReason::rails_missing) > 0;
  if (!missing) {
    uevents_source_ = {};
    uevents_.reset();
    return;
  }
  if (uevents_ || uevents_refused_) return;
  auto uevents = Uevents::open();
  if (!uevents) {
    uevents_refused_ = true;
    return log_warning("no uevents (" + uevents.error().message + "); probing by timer remains");
  }
  uevents_ = *std::move(uevents);
  auto source = loop_.add_io(uevents_->fd(), EPOLLIN, "uevents", [this](std::uint32_t) { on_uevent(); });
  if (source) uevents_source_ = *std::move(source);
}

void Daemon::on_clock_news() {
  ClockWorker::News news = clock_worker_->take_news();
  const Instant now = EventLoop::now();
  for (const std::string& note : news.restored) tell(ClockRestored{note});
  for (const std::string& note : news.notes) log_warning(note);
  wants_done_ = news.wants_done;
  looks_done_ = news.looks_done;
  if (news.view.node != clock_view_.node) sampler_->use_gpu(news.view.node);
  const bool first_view = std::exchange(clock_seen_, news.looked) != news.looked;
  if (first_view || news.view != clock_view_) {
    clock_view_ = std::move(news.view);
    observe_board();
  }
  for (ClockStatus& report : news.reports) {
    last_report_ = report;
    // Said before the worker saw the goal that is on its way to it: nothing was given back.
    if (report.condition == ClockCondition::released && !report.goal && ordered_goal_) continue;
    governor_.observe_clock(std::move(report), now);
  }
  // What was reported is of an older goal; the clock of the present one is still to come.
  if (!news.reports.empty() && !clock_settled()) observe_pending_clock();
  clock_looked_ = clock_looked_ || news.looked;
  if (has_looked()) first_look_limit_.disarm();
  reconcile();
  if (news.leftover_settled) announce_ready();
}

void Daemon::on_sampler_news() {
  observe_board();
  const Sampler::News news = sampler_->news();
  const Instant now = EventLoop::now();
  governor_.observe_meter(news.meter, now);
  governor_.observe_sensor_trouble(news.trouble, now);
  gpu_rests_ = news.gpu_rests;
  rails_looked_ = rails_looked_ || news.looked;
  if (has_looked()) first_look_limit_.disarm();
  reconcile();
}

/// What has not been looked at yet stays as the last daemon left it: nothing, or what its jobs' clocks were mapped to.
void Daemon::observe_board() {
  const Sampler::News news = sampler_->news();
  BoardFacts facts = governor_.board();
  facts.rails = news.rails;
  if (clock_seen_) {
    facts.clocks = clock_view_.clocks;
    facts.board.reset();
    if (!clock_view_.identity.model.empty()) facts.board = clock_view_.identity.model;
    facts.power_mode.reset();
    if (clock_view_.power_mode) facts.power_mode = to_text(*clock_view_.power_mode);
    facts.has_gpu_load = clock_view_.node && clock_view_.node->load_file;
  }
  if (facts != governor_.board()) governor_.observe_board(std::move(facts), EventLoop::now());
  if (news.looked) judge_rails();
}

void Daemon::judge_rails() {
  const auto& rails = governor_.board().rails;
  const auto choice = choose_rails(rails, config_.governor.rails);
  if (choice) {
    governor_.clear(HealthReason::rails_missing);
    look_timer_.disarm();
  } else {
    governor_.raise(HealthReason::rails_missing, choice.error().message, EventLoop::now());
    look_timer_.arm(EventLoop::now() + look_period);
  }
}

void Daemon::on_look_time() {
  sampler_->look_for_rails();
}

void Daemon::on_uevent() {
  bool devfreq = false;
  bool rails = false;
  while (true) {
    const auto event = uevents_->next();
    if (event && !*event) break;
    const bool lost_some = !event;
    devfreq = devfreq || lost_some || (*event)->subsystem == "devfreq";
    rails = rails || lost_some || (*event)->subsystem == "hwmon" || (*event)->subsystem == "iio";
    if (lost_some) break;
  }
  if (devfreq) (void)clock_worker_->look();
  if (rails) sampler_->look_for_rails();
}

void Daemon::reload() {
  auto config = load_config(places_.config_path);
  if (!config) {
    governor_.raise(HealthReason::config, "the old configuration stays: " + config.error().message, EventLoop::now());
    return reconcile();
  }
  governor_.clear(HealthReason::config);
  config_ = *std::move(config);
  use_governor_settings();
  load_profiles();
  server_->set_limits(server_limits(config_));
  clock_worker_->reconfigure(clock_settings());
  sampler_->reconfigure(sampler_settings());
  history_->use(history_settings());
  judge_rails();
  log_info("configuration read anew");
  reconcile();
}

}  // namespace sweetspot
