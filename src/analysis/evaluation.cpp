// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/evaluation.hpp"

#include <algorithm>
#include <utility>

#include "analysis/adaptive_replay.hpp"
#include "analysis/summary.hpp"

namespace sweetspot {
namespace {

constexpr std::int64_t steps_by_default = 1000;

/// A curve as a board that can be asked: its clocks, and what the job costs at each.
class ReplayedBoard {
 public:
  ReplayedBoard(const Curve& curve, const EvaluationSettings& settings) : curve_(curve) {
    const auto known = settings.tables.find(curve.platform);
    if (known != settings.tables.end()) {
      if (auto moved = on_table(curve, known->second)) {
        curve_ = std::move(*moved);
        clocks_ = BoardClocks{known->second, known->second.highest()};
      }
    }
    if (!clocks_) take_own_clocks();
    find_best(settings.max_slowdown);
  }
  ReplayedBoard(const ReplayedBoard&) = delete;  // best_ points into it
  ReplayedBoard& operator=(const ReplayedBoard&) = delete;

  [[nodiscard]] const Curve& curve() const { return curve_; }
  /// Null for a curve without a pinned point.
  [[nodiscard]] const BoardClocks* clocks() const { return clocks_ ? &*clocks_ : nullptr; }
  /// The best clock that was measured within the limit of time; null when there is none.
  [[nodiscard]] const CurvePoint* best() const { return best_; }
  [[nodiscard]] std::optional<double> fastest() const { return fastest_; }
  /// What was measured for this decision; null when nothing was.
  [[nodiscard]] const CurvePoint* measured(const Decision& decision) const {
    if (decision.frequency) return curve_.at(*decision.frequency);
    return decision.policy == name_of(Policy::none) && curve_.default_governor ? &*curve_.default_governor : nullptr;
  }

 private:
  void take_own_clocks() {
    std::vector<Hertz> own;
    for (const CurvePoint& point : curve_.points) own.push_back(point.clock);
    if (auto table = FrequencyTable::from(std::move(own))) {
      const Hertz highest = table->highest();
      clocks_ = BoardClocks{std::move(*table), highest};
    }
  }

  void find_best(std::optional<double> max_slowdown) {
    for (const CurvePoint& point : curve_.points) {
      if (point.time() && (!fastest_ || *point.time() < *fastest_)) fastest_ = point.time();
    }
    for (const CurvePoint& point : curve_.points) {
      const bool allowed = !max_slowdown || (point.time() && *point.time() <= *max_slowdown * *fastest_);
      if (allowed && (!best_ || point.energy() < best_->energy())) best_ = &point;
    }
  }

  Curve curve_;
  std::optional<BoardClocks> clocks_;
  std::optional<double> fastest_;
  const CurvePoint* best_ = nullptr;
};

/// What a job cost, in the units of its curve.
struct Cost {
  double energy = 0;
  std::optional<double> time;
};

std::optional<Cost> cost_of(const CurvePoint* point) {
  if (!point) return std::nullopt;
  return Cost{point->energy(), point->time()};
}

std::optional<double> regret_of(const std::optional<Cost>& cost, const ReplayedBoard& board) {
  if (!cost || !board.best()) return std::nullopt;
  return cost->energy / board.best()->energy() - 1;
}

std::optional<double> saving_against(const CurvePoint* baseline, const Cost& cost) {
  if (!baseline) return std::nullopt;
  return 1 - cost.energy / baseline->energy();
}

JobSpec spec_for(const Curve& curve, const Contender& contender, const EvaluationSettings& settings) {
  JobSpec spec = job_of(curve);
  spec.policy = std::string(name_of(contender.policy));
  spec.frequency = contender.clock;
  spec.max_slowdown = settings.max_slowdown;
  return spec;
}

Decision decision_of(const ReplayedBoard& board, const Contender& contender, const EvaluationSettings& settings) {
  switch (contender.choice) {
    case Contender::Choice::policy:
    case Contender::Choice::adaptive:
      return decide(spec_for(board.curve(), contender, settings), contender.settings, board.clocks());
    case Contender::Choice::oracle: {
      Decision decision{.policy = contender.name, .reason = "the best clock that was measured"};
      if (board.best()) decision.frequency = board.best()->clock;
      return decision;
    }
    case Contender::Choice::highest: {
      Decision decision{.policy = contender.name, .reason = "the board's highest clock"};
      if (board.clocks()) decision.frequency = board.clocks()->table.highest();
      return decision;
    }
  }
  return {};
}

/// The figures of what a job cost.
void charge(EvaluatedCurve& row, const Cost& cost, const ReplayedBoard& board, const EvaluationSettings& settings) {
  const Curve& curve = board.curve();
  row.regret = regret_of(cost, board);
  row.saving_vs_maxn = saving_against(curve.default_governor ? &*curve.default_governor : nullptr, cost);
  row.saving_vs_max = saving_against(board.clocks() ? curve.at(board.clocks()->table.highest()) : nullptr, cost);
  if (!cost.time || !board.fastest()) return;
  row.slowdown = *cost.time / *board.fastest() - 1;
  row.too_slow = settings.max_slowdown && *cost.time > *settings.max_slowdown * *board.fastest();
}

/// The row of a contender that measures, whose first clock was decided: every run, and their means.
EvaluatedCurve measured_row_of(const ReplayedBoard& board, EvaluatedCurve row, const EvaluationSettings& settings) {
  const Curve& curve = board.curve();
  if (!row.frequency || curve.points.empty()) return row;
  const AdaptiveReplay replay =
      replay_adaptive(curve, {.start = *row.frequency,
                              .steps = settings.steps.value_or(curve.total_steps.value_or(steps_by_default)),
                              .noise = settings.noise,
                              .seeds = settings.seeds});
  const auto measured_steps = static_cast<double>(curve.total_steps.value_or(1));
  Cost mean{.energy = 0, .time = {}};
  if (replay.time > 0) mean.time = replay.time * measured_steps;
  for (const double energy : replay.energy) {
    row.regrets.push_back(regret_of(Cost{energy * measured_steps, {}}, board).value_or(0));
    mean.energy += energy * measured_steps / static_cast<double>(replay.energy.size());
  }
  if (!board.best()) row.regrets.clear();  // nothing was measured within max_slowdown
  row.frequency = replay.clock;
  row.reason = replay.reason;
  row.probe_share = replay.probe_share;
  charge(row, mean, board, settings);
  return row;
}

EvaluatedCurve row_of(const ReplayedBoard& board, const Contender& contender, const EvaluationSettings& settings) {
  const Decision decision = decision_of(board, contender, settings);
  const Curve& curve = board.curve();
  EvaluatedCurve row{.curve_id = curve.id,
                     .platform = curve.platform,
                     .policy = contender.name,
                     .frequency = decision.frequency,
                     .fallback = decision.fallback,
                     .reason = decision.reason};
  if (contender.choice == Contender::Choice::adaptive) return measured_row_of(board, std::move(row), settings);
  const std::optional<Cost> cost = cost_of(board.measured(decision));
  if (!cost) return row;
  row.probe_share = 0;
  charge(row, *cost, board, settings);
  return row;
}

/// The share of the job that is over when the second stage decides, 1 when the job ends before; empty where no times
/// are known.
std::optional<double> share_before_second_stage(const Curve& curve, const Cost& first, const SecondStage& stage,
                                                std::optional<std::int64_t> asked_steps) {
  if (!first.time) return std::nullopt;
  const auto measured_steps = static_cast<double>(curve.total_steps.value_or(1));
  const auto steps = static_cast<double>(asked_steps.value_or(curve.total_steps.value_or(steps_by_default)));
  const double job_s = *first.time * steps / measured_steps;
  return std::min(1.0, in_seconds(stage.settle + stage.window) / job_s);
}

SecondStageOnCurve second_stage_of(const ReplayedBoard& board, const Contender& mlg,
                                   const EvaluationSettings& settings) {
  const Curve& curve = board.curve();
  const SecondStage& stage = mlg.settings.second_stage;
  const Decision first = decision_of(board, mlg, settings);
  SecondStageOnCurve row{.curve_id = curve.id, .frequency_without = first.frequency, .frequency_with = first.frequency};
  const CurvePoint* point = board.measured(first);
  const std::optional<Cost> without = cost_of(point);
  row.regret_without = row.regret_with = regret_of(without, board);
  row.reason = first.reason;
  if (point && point->load_percent.count() > 0) row.load_percent = point->load_percent.mean();
  if (!has_second_stage(first, mlg.settings)) return row;
  const Decision second = after_second_stage(first, row.load_percent.value_or(0), stage, board.clocks());
  const std::optional<double> before =
      without ? share_before_second_stage(curve, *without, stage, settings.steps) : std::nullopt;
  if (second.frequency == first.frequency || before == 1.0) return row;
  row.moves = true;
  row.frequency_with = second.frequency;
  row.reason = second.reason;
  std::optional<Cost> with = cost_of(board.measured(second));
  if (with && without) with->energy = before.value_or(0) * without->energy + (1 - before.value_or(0)) * with->energy;
  row.regret_with = regret_of(with, board);
  return row;
}

}  // namespace

Evaluation evaluate(std::span<const Curve> curves, const EvaluationSettings& settings) {
  Evaluation evaluation;
  std::vector<std::string> names;
  for (const Contender& contender : settings.contenders) names.push_back(contender.name);
  for (const Curve& curve : curves) {
    const ReplayedBoard board(curve, settings);
    for (const Contender& contender : settings.contenders) {
      evaluation.curves.push_back(row_of(board, contender, settings));
      const bool is_mlg = contender.choice == Contender::Choice::policy && contender.policy == Policy::mlg;
      if (is_mlg) evaluation.second_stage.push_back(second_stage_of(board, contender, settings));
    }
  }
  evaluation.summary = summaries_of(evaluation.curves, names);
  evaluation.platforms = summaries_by_platform(evaluation.curves, names);
  return evaluation;
}

}  // namespace sweetspot
