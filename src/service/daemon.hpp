// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/clock_worker.hpp"
#include "service/descriptor_store.hpp"
#include "service/event_loop.hpp"
#include "service/handover_package.hpp"
#include "service/history_keeper.hpp"
#include "service/job_holders.hpp"
#include "service/job_ledger.hpp"
#include "service/profile_keeper.hpp"
#include "service/sampler.hpp"
#include "service/varlink_server.hpp"
#include "service/watch_feed.hpp"
#include "sweetspot/core/governor.hpp"
#include "sweetspot/platform/runtime_lock.hpp"
#include "sweetspot/platform/uevents.hpp"
#include "sweetspot/wire/config.hpp"
#include "sweetspot/wire/replies.hpp"

namespace sweetspot {

/// Where the daemon lives and what it was told on its command line.
struct DaemonPlaces {
  std::string socket_path;
  std::string sysfs_root;
  std::string runtime_dir;
  std::string state_dir;
  std::optional<std::string> config_path;
  bool dry_run = false;
};

/// The daemon: translates what happens (calls, lost holders, news of the two worker threads, time) into the governor's
/// language, then reconciles the board with what the governor wants. It decides nothing itself. Loop thread only.
class Daemon {
 public:
  /// Takes the runtime lock, opens the socket, starts the threads. An error means nothing was touched.
  [[nodiscard]] static Result<std::unique_ptr<Daemon>> create(EventLoop& loop, DaemonPlaces places, Config config);
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  /// True when a worker thread hangs in the board's driver: it cannot be joined, and the process has to end without.
  [[nodiscard]] bool has_stuck_thread();

 private:
  struct HeldStart {
    ConnectionId connection;
    JobId job;
    Instant deadline;
  };
  struct HeldExplain {
    ConnectionId connection;
    JobSpec spec;
    std::uint64_t look;
    Instant deadline;
  };
  struct HeldStatus {
    ConnectionId connection;
    Instant deadline;
  };
  Daemon(EventLoop& loop, DaemonPlaces places, Config config, RuntimeLock lock);

  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<void> open_server();
  [[nodiscard]] Result<void> open_bells();
  [[nodiscard]] Result<void> open_signals();
  void start_threads(std::optional<EnergyMeter> meter);
  [[nodiscard]] Result<void> open_first_look_limit();
  void tell_lost(const std::vector<LostJob>& jobs, const std::optional<Handover>& handover);
  void follow_uevents();

  // What happens.
  void on_call(ConnectionId id, const Peer& peer, Call call);
  void answer(ConnectionId id, const Peer& peer, const StartJob& call, bool oneway);
  void answer(ConnectionId id, const Peer& peer, const ReportProgress& call, bool oneway);
  void answer(ConnectionId id, const Peer& peer, const EndJob& call, bool oneway);
  void answer_status(ConnectionId id);
  void answer(ConnectionId id, const Explain& call);
  void answer(ConnectionId id, const Peer& peer, const Watch& call);
  void refuse(ConnectionId id, bool oneway, const GovernorError& error);
  void on_gone(ConnectionId id);
  void on_clock_news();
  void on_sampler_news();
  void on_history_news();
  void on_uevent();
  void on_deadline();
  void on_look_time();
  void reload();
  void on_sigterm();
  void begin_stop(const std::string& why);

  // Towards what the governor wants.
  void reconcile();
  void order_clock();
  void observe_pending_clock();
  void order_samples();
  void tell_events();
  void tell(const Event& event);
  void answer_held();
  void arm_timers();
  void show_status_line();
  void announce_ready();
  void observe_board();
  void judge_rails();
  void use_governor_settings();
  void load_profiles();
  void watch_for_blocked_threads();
  void log_rails();
  void finish_stop();

  /// Clock and rails have been looked for once since the start, whatever was found, or take too long to wait for.
  [[nodiscard]] bool has_looked() const { return clock_looked_ && rails_looked_; }

  // Jobs that go on in the next daemon, and those of the last.
  void begin_hand_over(std::size_t places);
  void finish_hand_over();
  [[nodiscard]] bool ready_to_hand_over(Instant now) const;
  [[nodiscard]] Result<void> hand_over();
  [[nodiscard]] std::optional<Handover> find_handover() const;
  [[nodiscard]] std::optional<EnergyMeter> take_over(Handover handover);
  [[nodiscard]] std::map<std::uint64_t, ConnectionId> adopt_connections(std::vector<HandedConnection> connections);
  [[nodiscard]] Result<JobHolder> adopted_holder(const HandedHolder& handed,
                                                 const std::map<std::uint64_t, ConnectionId>& connections);
  void forget_stored();

  [[nodiscard]] bool clock_settled() const { return wants_done_ == clock_worker_->wants(); }
  [[nodiscard]] std::string status_text();
  [[nodiscard]] ClockSettings clock_settings() const;
  [[nodiscard]] SamplerSettings sampler_settings() const;
  [[nodiscard]] HistorySettings history_settings() const;

  EventLoop& loop_;
  DaemonPlaces places_;
  Config config_;
  RuntimeLock lock_;
  Instant began_;
  Governor governor_;
  std::optional<JobLedger> ledger_;
  ProfileKeeper profiles_;
  JobHolders holders_;
  std::unique_ptr<VarlinkServer> server_;
  std::unique_ptr<WatchFeed> watch_feed_;
  std::optional<Uevents> uevents_;  ///< while something of the board is missing
  EventLoop::Source uevents_source_;
  bool uevents_refused_ = false;
  std::vector<EventLoop::Source> sources_;  ///< signals, bells: for the daemon's whole life
  EventLoop::Source deadline_;
  EventLoop::Source look_timer_;

  ClockView clock_view_;
  std::optional<ClockStatus> last_report_;  ///< what the worker said last, behind a "blocked" of ours
  std::uint64_t wants_done_ = 0;
  std::uint64_t looks_done_ = 0;
  std::optional<Hertz> ordered_goal_;
  bool gpu_rests_ = false;  ///< long enough without load: the clock is not held until there is some
  std::vector<HeldStart> held_starts_;
  std::multimap<JobId, ConnectionId> held_ends_;
  std::vector<HeldExplain> held_explains_;
  std::vector<HeldStatus> held_statuses_;
  std::optional<Instant> next_stuck_check_;  ///< fixed when armed, so that no traffic puts it off
  std::optional<Instant> next_rail_log_;
  std::optional<MeterReading> rails_logged_up_to_;
  std::int64_t oneway_errors_ = 0;
  std::string status_line_;
  EventLoop::Source first_look_limit_;  ///< a board that hangs is not waited for
  bool clock_seen_ = false;             ///< clock_view_ is of this board; until then the last daemon's facts hold
  bool clock_looked_ = false;
  bool rails_looked_ = false;
  bool ready_told_ = false;
  std::optional<Instant> stop_deadline_;
  struct HandOver {
    Instant begun;
    Instant deadline;
  };
  std::optional<HandOver> hand_over_;  ///< under way
  PassedDescriptors passed_;

  std::optional<Wakeup> clock_bell_;
  std::optional<Wakeup> sampler_bell_;
  std::optional<Wakeup> history_bell_;
  std::unique_ptr<ClockWorker> clock_worker_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<HistoryKeeper> history_;
};

}  // namespace sweetspot
