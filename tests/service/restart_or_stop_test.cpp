// SPDX-License-Identifier: Apache-2.0
#include "service/restart_or_stop.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "service/descriptor_store.hpp"
#include "tests/support/fake_systemd.hpp"
#include "tests/support/wait.hpp"

namespace sweetspot::tests {
namespace {

/// This process under a manager of its own.
struct Managed {
  explicit Managed(unsigned places = 8) : manager(places) {
    ::setenv("NOTIFY_SOCKET", manager.notify_socket().c_str(), 1);
    ::setenv("DBUS_SYSTEM_BUS_ADDRESS", manager.bus_address().c_str(), 1);
  }
  ~Managed() {
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  }
  FakeSystemd manager;
};

TEST(RestartOrStop, IsWhatTheUnitsJobSays) {
  Managed here;
  for (const char* job : {"restart", "try-restart"}) {
    here.manager.set_job(job);
    const auto intent = ask_service_manager(patience);
    ASSERT_TRUE(intent) << intent.error().message;
    EXPECT_TRUE(intent->restart) << job;
  }
  for (const char* job : {"stop", "start", "reload", ""}) {
    here.manager.set_job(job);
    const auto intent = ask_service_manager(patience);
    ASSERT_TRUE(intent) << intent.error().message;
    EXPECT_FALSE(intent->restart) << "job '" << job << "'";
  }
}

TEST(RestartOrStop, TellsHowManyDescriptorsFindAPlace) {
  Managed here(5);
  here.manager.set_job("restart");
  EXPECT_EQ(ask_service_manager(patience)->descriptors_free, 5u);
  const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  here.manager.replace("kept", null.value());
  EXPECT_EQ(ask_service_manager(patience)->descriptors_free, 4u);
}

TEST(RestartOrStop, IsAnErrorWhereThereIsNoBus) {
  Managed here;
  ::setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus", 1);
  const auto intent = ask_service_manager(patience);
  ASSERT_FALSE(intent);
  EXPECT_NE(intent.error().message.find("bus"), std::string::npos) << intent.error().message;
}

TEST(RestartOrStop, IsAnErrorAfterTheTimeLimitWhereTheBusSaysNothing) {
  Managed here;
  here.manager.fall_silent();
  const auto begin = Clock::now();
  EXPECT_FALSE(ask_service_manager(std::chrono::milliseconds(100)));
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(100));
  EXPECT_LT(Clock::now() - begin, patience);
}

TEST(DescriptorStore, KeepsACopyUnderItsNameUntilItIsForgotten) {
  Managed here;
  {
    const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(store_descriptor("handover-a", null.value()));
    ASSERT_TRUE(store_descriptor("handover-b", null.value()));
  }
  ASSERT_TRUE(await_service_manager(patience));
  EXPECT_EQ(here.manager.stored_names(), (std::vector<std::string>{"handover-b", "handover-a"}));
  forget_descriptor("handover-a");
  ASSERT_TRUE(await_service_manager(patience));
  EXPECT_EQ(here.manager.stored_names(), std::vector<std::string>{"handover-b"});
  for (const std::string& datagram : here.manager.datagrams()) {
    const bool stores = datagram.find("FDSTORE=1") != std::string::npos;
    EXPECT_EQ(stores, datagram.find("FDPOLL=0") != std::string::npos) << "what has hung up is kept, too: " << datagram;
  }
}

TEST(DescriptorStore, IsAnErrorWithoutAManager) {
  ::unsetenv("NOTIFY_SOCKET");
  const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(store_descriptor("handover-a", null.value()));
  EXPECT_FALSE(await_service_manager(patience));
}

}  // namespace
}  // namespace sweetspot::tests
