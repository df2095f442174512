// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/clock_verdict.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/kept_attribute.hpp"
#include "sweetspot/platform/limit_files.hpp"
#include "sweetspot/platform/saved_clock.hpp"
#include "sweetspot/platform/thermal.hpp"

namespace sweetspot {

/// How a pin came out.
enum class PinState {
  pinned,               // both limits read back as written
  capped,               // the board shows a lower maximum than was written (thermal); ours comes back by itself
  differs,              // read back as something else: another writer
  waiting_for_cooling,  // nothing was written: a thermal cap hides the true limits; try again
  look_again,           // nothing was written: another writer may be half-way; try again in 100 ms or more
};
[[nodiscard]] std::string_view to_text(PinState state);

struct PinReport {
  Hertz asked;
  Hertz target;      // asked, but never above the found cap
  ClockLimits read;  // after the writes, or as found where nothing was written
  PinState state = PinState::pinned;
  bool adopted = false;  // another writer's limits became the ones to restore, just before this pin
};

/// One check of the pin.
struct CheckReport {
  ClockVerdict verdict = ClockVerdict::held;
  ClockLimits read;                         // absent reads (Thor) leave the limits written
  std::optional<Hertz> target;              // the pin in force
  std::optional<Hertz> current;             // cur_freq
  std::vector<std::string> cooling;         // active cooling devices
  bool adopted = false;                     // the limits to restore changed
  std::optional<std::string> governor_was;  // the governor noted before the pin, when it is another one now
};

/// How giving back came out. Idempotent: may be repeated until `complete`.
struct ReleaseReport {
  bool complete = true;              // nothing of ours is left; the saved file is gone
  bool node_gone = false;            // the node vanished, and its limits with it
  bool wrote = false;                // at least one limit was ours and was restored
  std::optional<ClockLimits> found;  // what was to be restored
  ClockLimits read;                  // afterwards
  bool capped = false;               // max still reads lower than restored: a thermal or other kernel cap is in force
  std::vector<std::string> notes;    // in words: what was restored, what was left alone and why
};

/// The one writer of the GPU's clock: pins it and gives it back. Belongs to the clock worker's thread; every call does
/// blocking I/O and none sleeps. Invariants: the saved file is complete on disk before any write it would have to undo;
/// nothing but exact table entries and found limits is written; max never above the cap found; the governor is never
/// written.
class GpuClock {
 public:
  GpuClock(Attributes& board, GpuNode node, SavedClockStore& store);

  [[nodiscard]] const GpuNode& node() const { return node_; }
  /// min_freq and max_freq now; 0 ("no limit") reads as the end of the table.
  [[nodiscard]] Result<ClockLimits> read_limits() const;
  [[nodiscard]] Result<std::string> read_governor() const;
  [[nodiscard]] Result<Hertz> read_current() const;

  /// Pins to `target`, a table entry, or to the highest entry within the found cap. The first pin saves what it finds;
  /// if an earlier process left a pin on this node, that is given back first. Later pins adopt what others wrote
  /// meanwhile.
  [[nodiscard]] Result<PinReport> pin(Hertz target, PinStyle style, Instant now);
  /// Reads and judges, adopts what has to be adopted (in the saved file), never writes to the board.
  [[nodiscard]] Result<CheckReport> check(Instant now);
  /// Restores what was found (or adopted since): max first, then min. What is not ours is left alone and named. On an
  /// error or while a thermal cap hides who owns a limit, the saved file stays and the call can be repeated.
  [[nodiscard]] Result<ReleaseReport> release();
  /// Takes over the pin that a predecessor process (same boot, same node) left in force, without a write. False: there
  /// is none.
  [[nodiscard]] Result<bool> resume(Instant now);

  /// What release() would restore; empty while nothing is pinned.
  [[nodiscard]] const std::optional<SavedClock>& saved() const { return saved_; }

 private:
  enum class Order { min_first, max_first };
  /// A look that has been judged, with what it made of the limits to restore.
  struct Absorbed {
    ClockLook look;
    ClockVerdict verdict = ClockVerdict::held;
    std::vector<std::string> cooling;
    bool adopted = false;
  };

  [[nodiscard]] Result<std::optional<PinReport>> save_found(Hertz asked, Instant now);
  [[nodiscard]] Result<PinReport> write_pin(Hertz asked, PinStyle style, Instant now);
  [[nodiscard]] static std::optional<PinState> not_now(ClockVerdict verdict);
  [[nodiscard]] Result<Hertz> prepare(Hertz asked, PinStyle style);
  [[nodiscard]] Result<void> write_limits(ClockLimits limits, ClockLimits read, Order order);
  [[nodiscard]] Result<PinReport> verify(PinReport report, ClockLimits written, Instant now);
  [[nodiscard]] Result<Absorbed> absorb(Instant now);
  void note_doubt(const Judgement& judgement, const ClockLook& look, Instant now);
  [[nodiscard]] Result<ClockLook> look(Instant now, std::vector<std::string>& cooling);
  void note_power_mode(Instant now);
  void collect_writes();
  void forget_writes();
  void read_clock_and_load(ClockLook& look, Instant now) const;
  [[nodiscard]] Result<CheckReport> check_governor_only() const;
  [[nodiscard]] std::optional<std::string> changed_governor() const;
  void forget_pin();

  Attributes& board_;
  GpuNode node_;
  SavedClockStore& store_;
  LimitFiles limits_;
  KeptAttribute governor_;
  KeptAttribute current_;
  CoolingDevices cooling_;
  std::optional<SavedClock> saved_;
  Instant written_at_{};
  std::optional<ClockLimits> doubtful_;  // limits answered with look_again
  Instant doubtful_since_{};
  std::optional<ClockLimits> judged_;  // limits of others that are in doubt no more: a pin that follows overwrites them
  std::optional<Instant> doubt_settled_at_;
  std::optional<Hertz> late_mode_cap_;       // becomes the found cap if the power mode proves changed soon
  std::optional<Instant> mode_changed_at_;   // a changed id that no limits seen explain yet
  std::optional<Instant> range_changed_at_;  // limits that a change of mode may have written
  std::optional<ClockLimits> foreign_;       // limits of others as last seen
  Instant looked_at_{};
  std::optional<Hertz> unexplained_cap_;  // what max read back as, though no cooling device was active
  std::optional<bool> min_written_;       // by others since our last write, where it can be known
  std::optional<bool> max_written_;
};

/// Undoes the pin a dead process left, from its saved file: `sweetspotd --restore` and every start. Take the
/// RuntimeLock first. Idempotent. No file, a file of another boot and a node that is gone are not errors, and the
/// report says so; a file that cannot be read as one is an error and nothing is written.
[[nodiscard]] Result<ReleaseReport> restore_saved_clock(Attributes& board, SavedClockStore& store);

}  // namespace sweetspot
