// SPDX-License-Identifier: Apache-2.0
#include "bench/exchange.hpp"
#include "bench/measurements.hpp"
#include "bench/spread.hpp"

namespace sweetspot::bench {
namespace {

constexpr int warm_up_trips = 100;

std::string filler(std::size_t size) {
  std::string text(size - 1, 'x');
  text += '\0';
  return text;
}

}  // namespace

std::vector<Row> measure_round_trips(const std::string& sysfs_root, const Effort& effort) {
  const tests::TemporaryFolder folder;
  const tests::RunningDaemon daemon(sysfs_root, with_journal());
  wait_until_idle(daemon);
  const EchoServer server(folder.path() + "/echo");
  Exchange asking(daemon.socket());
  Exchange echoing(folder.path() + "/echo");
  const std::string request = call_message("GetStatus", "{}");
  const std::string as_long_as_the_reply = filler(asking.ask(request).size());
  for (int i = 0; i < warm_up_trips; ++i) {
    asking.ask(request);
    echoing.ask(request);
    echoing.ask(as_long_as_the_reply);
  }
  Spread status;
  Spread short_echo;
  Spread long_echo;
  for (int i = 0; i < effort.round_trips; ++i) {
    time_into(status, [&] { asking.ask(request); });
    time_into(short_echo, [&] { echoing.ask(request); });
    time_into(long_echo, [&] { echoing.ask(as_long_as_the_reply); });
  }
  const std::string sizes[] = {std::to_string(request.size()) + " B",
                               std::to_string(as_long_as_the_reply.size()) + " B"};
  std::vector<Row> rows;
  for (const auto& [name, share] : {std::pair{"p50", 0.5}, std::pair{"p99", 0.99}}) {
    const std::string what = std::string("GetStatus ") + name + " / echo of the ";
    rows.push_back({what + "request, " + sizes[0], "us", status.quantile(share), short_echo.quantile(share), 2.0});
    rows.push_back({what + "reply, " + sizes[1], "us", status.quantile(share), long_echo.quantile(share), {}});
  }
  return rows;
}

}  // namespace sweetspot::bench
