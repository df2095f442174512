// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/policy.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/replies.hpp"
#include "tests/fuzz/properties.hpp"

// One message from a client: what the daemon reads in it, and what it answers when it does not like it.
namespace sweetspot::fuzz {
namespace {

void check_refusal(const std::string& answer) {
  const std::string_view message = require_message(answer);
  require(message.size() <= 2048, "a refusal is short, however long the call");
  const auto reply = parse_reply(message);
  require(reply && reply->error, "a client reads a refusal as an error");
  require(!reply->error->sentence.empty() && is_utf8(reply->error->sentence), "a refusal has words");
}

void check_problem(const CallProblem& problem) {
  const std::string answer = error_reply(problem);
  if (const auto* nothing = std::get_if<NotVarlink>(&problem.what)) {
    require(answer.empty(), "what is no call gets no answer");
    return require_good_error(Error{nothing->why});
  }
  check_refusal(answer);
}

void check_spec(const JobSpec& spec) {
  if (const auto problem = problem_in(spec)) check_refusal(error_reply(InvalidSpec{problem->field, problem->expected}));
}

void check_call(const Call& call) {
  const std::string text = call_text(call);
  const auto again = parse_call(require_message(text));
  require(again.has_value() && *again == call, "a call that is written again is the same call");
  if (const auto* start = std::get_if<StartJob>(&call.what)) check_spec(start->spec);
  if (const auto* explain = std::get_if<Explain>(&call.what)) check_spec(explain->spec);
  if (const auto* progress = std::get_if<ReportProgress>(&call.what))
    require(progress->steps >= 0, "steps are not negative");
  if (const auto* watch = std::get_if<Watch>(&call.what))
    require(call.more && watch->period_ms.value_or(1) >= 1, "a watch takes several replies");
  if (const auto* describe = std::get_if<GetInterfaceDescription>(&call.what)) {
    const std::string answer = interface_description_reply(describe->interface);
    const auto reply = parse_reply(require_message(answer));
    require(reply.has_value(), "a client reads the description");
    if (reply->error) check_refusal(answer);
  }
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const auto call = sweetspot::parse_call(as_text(bytes, size));
  if (call) {
    check_call(*call);
  } else {
    check_problem(call.error());
  }
  return 0;
}
