// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/governor_client.hpp"

#include "sweetspot/wire/interface_text.hpp"

namespace sweetspot {

Result<GovernorClient> GovernorClient::connect(const std::string& socket_path, ClientTimeouts timeouts) {
  auto connection = Connection::open(socket_path, timeouts.connect);
  if (!connection) return failure(std::move(connection.error()));
  return GovernorClient(std::move(*connection), timeouts);
}

Result<std::string> GovernorClient::ask(const Call& call, Duration timeout) {
  auto reply = connection_.call(call, timeout);
  if (!reply) return failure(std::move(reply.error()));
  if (reply->error) return failure(reply->error->sentence);
  return std::move(reply->parameters);
}

Result<RestrictedSpec> GovernorClient::for_this_daemon(const JobSpec& spec) {
  if (!spec_fields_) {
    const Call question{.what = GetInterfaceDescription{std::string(governor_interface)}};
    auto reply = connection_.call(question, timeouts_.call);
    if (!reply) return failure(std::move(reply.error()));
    spec_fields_.emplace();
    // A daemon that cannot describe itself gets the whole spec and can still refuse it.
    if (!reply->error) {
      if (const auto description = parse_interface_description(reply->parameters))
        spec_fields_ = known_fields(*description, "JobSpec");
    }
  }
  if (spec_fields_->empty()) return RestrictedSpec{.spec = spec, .left_out = {}};
  return restrict_to(spec, *spec_fields_);
}

Result<GovernorClient::Started> GovernorClient::start_job(const JobSpec& spec) {
  auto restricted = for_this_daemon(spec);
  if (!restricted) return failure(std::move(restricted.error()));
  auto parameters = ask({.what = StartJob{std::move(restricted->spec)}}, timeouts_.call);
  if (!parameters) return failure(std::move(parameters.error()));
  auto reply = parse_start_reply(*parameters);
  if (!reply) return failure(std::move(reply.error()).within("StartJob's reply"));
  return Started{
      .reply = std::move(*reply), .json = std::move(*parameters), .left_out = std::move(restricted->left_out)};
}

Result<void> GovernorClient::report_progress(JobId job, std::int64_t steps) {
  return connection_.send({.what = ReportProgress{.job_id = job, .steps = steps}, .oneway = true}, timeouts_.call);
}

Result<EnergyRecord> GovernorClient::end_job(JobId job) {
  auto parameters = ask({.what = EndJob{job}}, timeouts_.end_job);
  if (!parameters) return failure(std::move(parameters.error()));
  auto record = parse_end_reply(*parameters);
  if (!record) return failure(std::move(record.error()).within("EndJob's reply"));
  return record;
}

Result<GovernorClient::Explained> GovernorClient::explain(const JobSpec& spec) {
  auto restricted = for_this_daemon(spec);
  if (!restricted) return failure(std::move(restricted.error()));
  auto parameters = ask({.what = Explain{std::move(restricted->spec)}}, timeouts_.call);
  if (!parameters) return failure(std::move(parameters.error()));
  auto decision = parse_explain_reply(*parameters);
  if (!decision) return failure(std::move(decision.error()).within("Explain's reply"));
  return Explained{.decision = std::move(*decision), .left_out = std::move(restricted->left_out)};
}

Result<std::string> GovernorClient::status_json() {
  return ask({.what = GetStatus{}}, timeouts_.call);
}

Result<StatusReport> GovernorClient::status() {
  auto json = status_json();
  if (!json) return failure(std::move(json.error()));
  auto report = parse_status(*json);
  if (!report) return failure(std::move(report.error()).within("GetStatus' reply"));
  return report;
}

}  // namespace sweetspot
