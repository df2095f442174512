// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/governor_state.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A client's connection that outlives the daemon. The socket itself travels beside the text, under this id.
struct HandedConnection {
  std::uint64_t id = 0;
  std::uint64_t start_ticks = 0;   ///< of the process that opened it; 0 where it could not be seen
  std::string received;            ///< bytes of calls that are not served yet, the last one perhaps half a message
  std::string unsent;              ///< bytes of replies that the client has not taken yet
  bool peer_done_sending = false;  ///< nothing more comes, but replies are still wanted
  friend bool operator==(const HandedConnection&, const HandedConnection&) = default;
};

struct HandedProcess {
  std::int32_t pid = 0;
  std::uint64_t start_ticks = 0;
  std::string comm;
  friend bool operator==(const HandedProcess&, const HandedProcess&) = default;
};

/// What keeps a job alive: a connection, a process, or both. The pidfd, too, travels beside the text.
struct HandedHolder {
  JobId job = 0;
  std::optional<std::uint64_t> connection;
  std::optional<HandedProcess> process;
  friend bool operator==(const HandedHolder&, const HandedHolder&) = default;
};

/// What a daemon that is being restarted leaves to the next one. Times are of one boot.
struct Handover {
  std::string written_by;  ///< version of the daemon
  std::string boot_id;
  GovernorState governor;
  std::vector<HandedConnection> connections;
  std::vector<HandedHolder> holders;  ///< one per job
};

/// A thousand jobs with the longest names, tags and half-sent replies stay below it.
inline constexpr std::size_t longest_handover_bytes = 64 * 1024 * 1024;

/// The hand-over as one JSON object. It carries the number of its format: a reader takes that number alone, and within
/// it ignores fields it does not know, so that what is added is no new format and what changes its meaning is one.
[[nodiscard]] std::string handover_text(const Handover& handover);
/// Takes any bytes. Besides what is malformed, it refuses another format (the message names both), what no governor can
/// have been (contradiction_in) and a job with no holder, or one that names a connection that is not there.
[[nodiscard]] Result<Handover> parse_handover(std::string_view text);

}  // namespace sweetspot
