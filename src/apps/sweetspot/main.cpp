// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "apps/sweetspot/characterise.hpp"
#include "apps/sweetspot/command_line.hpp"
#include "apps/sweetspot/doctor.hpp"
#include "apps/sweetspot/end.hpp"
#include "apps/sweetspot/evaluate.hpp"
#include "apps/sweetspot/explain.hpp"
#include "apps/sweetspot/fit.hpp"
#include "apps/sweetspot/jobs.hpp"
#include "apps/sweetspot/metrics.hpp"
#include "apps/sweetspot/profiles.hpp"
#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/record_board.hpp"
#include "apps/sweetspot/report.hpp"
#include "apps/sweetspot/run.hpp"
#include "apps/sweetspot/start.hpp"
#include "apps/sweetspot/status.hpp"
#include "apps/sweetspot/sweep.hpp"
#include "apps/sweetspot/watch.hpp"

int main(int argc, char** argv) {
  using namespace sweetspot;
  try {
    Program program;
    const RunCommand run(program);
    const StartCommand start(program);
    const EndCommand end(program);
    const StatusCommand status(program);
    const WatchCommand watch(program);
    const ExplainCommand explain(program);
    const SweepCommand sweep(program);
    const JobsCommand jobs(program);
    const CharacteriseCommand characterise(program);
    const FitCommand fit(program);
    const EvaluateCommand evaluate(program);
    const ReportCommand report(program);
    const ProfilesCommand profiles(program);
    const DoctorCommand doctor(program);
    const MetricsCommand metrics(program);
    const RecordBoardCommand record_board(program);
    return run_command_line(program, {argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "sweetspot: %s\n", problem.what());
    return ExitCode::failure;
  }
}
