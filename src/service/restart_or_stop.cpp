// SPDX-License-Identifier: Apache-2.0
#include "service/restart_or_stop.hpp"

#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "service/steady_now.hpp"

namespace sweetspot {
namespace {

constexpr const char* manager_name = "org.freedesktop.systemd1";
constexpr const char* manager_path = "/org/freedesktop/systemd1";
constexpr const char* manager_interface = "org.freedesktop.systemd1.Manager";
constexpr const char* unit_interface = "org.freedesktop.systemd1.Unit";
constexpr const char* service_interface = "org.freedesktop.systemd1.Service";
constexpr const char* job_interface = "org.freedesktop.systemd1.Job";

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, CloseBus>;
struct UnrefMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, UnrefMessage>;

/// A question to the service manager that ends at its deadline, whoever is slow: the bus or the manager.
class ManagerQuestion {
 public:
  explicit ManagerQuestion(Duration limit) : deadline_(steady_now() + limit) {}

  Result<ManagerIntent> ask() {
    auto intent = connect().and_then([this] { return unit(); }).and_then([this] { return read_intent(); });
    if (!intent) return failure(std::move(intent.error()).within("ask systemd for the unit's job"));
    return intent;
  }

 private:
  /// The library's own calls wait for the bus's greeting without a limit; so the connection is brought up here.
  Result<void> connect() {
    sd_bus* opened = nullptr;
    if (const int status = sd_bus_open_system(&opened); status < 0) return refused("open the system bus", status);
    bus_.reset(opened);
    for (;;) {
      const int ready = sd_bus_is_ready(bus_.get());
      if (ready > 0) return {};
      const int processed = ready < 0 ? ready : sd_bus_process(bus_.get(), nullptr);
      if (processed < 0) return refused("greet the system bus", processed);
      if (processed > 0) continue;
      const std::uint64_t left = left_us();
      if (left == 0) return refused("greet the system bus", -ETIMEDOUT);
      if (const int waited = sd_bus_wait(bus_.get(), left); waited < 0 && waited != -EINTR)
        return refused("wait for the system bus", waited);
    }
  }

  Result<void> unit() {
    Message call = method_call(manager_path, manager_interface, "GetUnitByPID");
    if (!call || sd_bus_message_append(call.get(), "u", static_cast<std::uint32_t>(::getpid())) < 0)
      return refused("GetUnitByPID", -ENOMEM);
    auto reply = answer(std::move(call), "GetUnitByPID");
    if (!reply) return failure(std::move(reply.error()));
    const char* path = nullptr;
    if (const int status = sd_bus_message_read(reply->get(), "o", &path); status < 0)
      return refused("GetUnitByPID", status);
    unit_ = path;
    return {};
  }

  Result<ManagerIntent> read_intent() {
    auto job = property(unit_, unit_interface, "Job");
    if (!job) return failure(std::move(job.error()));
    std::uint32_t id = 0;
    const char* path = nullptr;
    if (const int status = sd_bus_message_read(job->get(), "v", "(uo)", &id, &path); status < 0)
      return refused("Job", status);
    if (id == 0) return ManagerIntent{};  // a kill by hand, or the unit's own time limit
    auto type = property(path, job_interface, "JobType");
    if (!type) return failure(std::move(type.error()));
    const char* word = nullptr;
    if (const int status = sd_bus_message_read(type->get(), "v", "s", &word); status < 0)
      return refused("JobType", status);
    const std::string_view name = word;
    if (name != "restart" && name != "try-restart") return ManagerIntent{};
    const auto most = number("FileDescriptorStoreMax");
    if (!most) return failure(Error(most.error()));
    const auto kept = number("NFileDescriptorStore");
    if (!kept) return failure(Error(kept.error()));
    return ManagerIntent{.restart = true, .descriptors_free = *most - std::min(*most, *kept)};
  }

  Result<std::uint32_t> number(const char* name) {
    const auto value = property(unit_, service_interface, name);
    if (!value) return failure(Error(value.error()));
    std::uint32_t read = 0;
    if (const int status = sd_bus_message_read(value->get(), "v", "u", &read); status < 0) return refused(name, status);
    return read;
  }

  Result<Message> property(const std::string& path, const char* interface, const char* name) {
    Message call = method_call(path.c_str(), "org.freedesktop.DBus.Properties", "Get");
    if (!call || sd_bus_message_append(call.get(), "ss", interface, name) < 0) return refused(name, -ENOMEM);
    return answer(std::move(call), name);
  }

  Message method_call(const char* path, const char* interface, const char* member) {
    sd_bus_message* made = nullptr;
    if (sd_bus_message_new_method_call(bus_.get(), &made, manager_name, path, interface, member) < 0) return nullptr;
    return Message(made);
  }

  Result<Message> answer(Message call, const char* what) {
    const std::uint64_t left = left_us();
    if (left == 0) return refused(what, -ETIMEDOUT);
    sd_bus_message* reply = nullptr;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const int status = sd_bus_call(bus_.get(), call.get(), left, &error, &reply);
    const std::string why = error.message != nullptr ? error.message : "";
    sd_bus_error_free(&error);
    if (status < 0) return why.empty() ? refused(what, status) : failure(std::string(what) + ": " + why, -status);
    return Message(reply);
  }

  static tl::unexpected<Error> refused(const std::string& what, int status) {
    return failure(what + ": " + std::strerror(-status), -status);
  }

  std::uint64_t left_us() const {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline_ - steady_now()).count();
    return left > 0 ? static_cast<std::uint64_t>(left) : 0;
  }

  Instant deadline_;
  Bus bus_;
  std::string unit_;
};

}  // namespace

Result<ManagerIntent> ask_service_manager(Duration limit) {
  return ManagerQuestion(limit).ask();
}

}  // namespace sweetspot
