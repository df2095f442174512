// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string_view>
#include <vector>

#include "sweetspot/analysis/cart.hpp"

// Grows trees from data sets on standard input, for programs that compare them with somebody else's. A data set is a
// line "ROWS COLUMNS CLASSES gini|entropy DEPTH LEAF_ROWS QUERIES" (DEPTH 0: no limit), its rows (numbers, then the
// class) and its queries (numbers). For each: a line with the answers to the queries and one with each row's answer
// when left out. With --time: one line with the milliseconds of processor time that growing took, and no leaving out.
namespace sweetspot {
namespace {

struct Question {
  TrainingRows rows;
  SplitCriterion criterion;
  GrowthLimits limits;
  std::vector<std::vector<double>> queries;
};

bool read(Question& question) {
  std::size_t rows = 0, columns = 0, queries = 0;
  std::uint32_t depth = 0;
  std::string criterion;
  if (!(std::cin >> rows >> columns >> question.rows.classes >> criterion >> depth >> question.limits.leaf_rows >>
        queries))
    return false;
  question.criterion = criterion == "entropy" ? SplitCriterion::entropy : SplitCriterion::gini;
  if (depth > 0) question.limits.depth = depth;
  question.rows.columns.assign(columns, std::vector<double>(rows));
  question.rows.labels.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto& column : question.rows.columns) std::cin >> column[row];
    std::cin >> question.rows.labels[row];
  }
  question.queries.assign(queries, std::vector<double>(columns));
  for (auto& query : question.queries) {
    for (double& value : query) std::cin >> value;
  }
  return static_cast<bool>(std::cin);
}

void print_answers(const Question& question) {
  const Cart tree = Cart::grow(question.rows, question.criterion, question.limits);
  for (const auto& query : question.queries) std::printf("%u ", tree.answer(query));
  std::printf("\n");
  for (std::size_t row = 0; row < question.rows.count(); ++row) {
    std::vector<bool> left_out(question.rows.count());
    left_out[row] = true;
    std::vector<double> features;
    for (const auto& column : question.rows.columns) features.push_back(column[row]);
    std::printf("%u ", Cart::grow(question.rows, question.criterion, question.limits, left_out).answer(features));
  }
  std::printf("\n");
}

void print_time(const Question& question) {
  const std::clock_t begin = std::clock();
  const Cart tree = Cart::grow(question.rows, question.criterion, question.limits);
  const double took = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%.3f %zu\n", took, tree.nodes().size());
}

}  // namespace
}  // namespace sweetspot

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const bool timed = argc == 2 && std::string_view(argv[1]) == "--time";
  for (sweetspot::Question question; sweetspot::read(question); question = {})
    timed ? sweetspot::print_time(question) : sweetspot::print_answers(question);
  return 0;
}
