// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/load/arithmetic.hpp"

namespace sweetspot {

/// A Product as libraries in the tradition of BLAS take it, whose matrices lie column by column (in the order of the
/// arguments of cublasSgemmStridedBatched). Our rows are their columns: they are asked for the transposed result, which
/// is the right operand, transposed, times the left one, transposed.
template <class Real>
struct ColumnMajorProduct {
  struct Operand {
    const Real* at = nullptr;
    bool transposed = false;
    int leading = 0;       ///< numbers from one column to the next
    long long stride = 0;  ///< to the next product's
  };
  Operand first;
  Operand second;
  Real* result = nullptr;
  int result_leading = 0;
  long long result_stride = 0;
  int rows = 0;
  int columns = 0;
  int inner = 0;
  int count = 0;
  Real scale = 1;
  Real kept = 0;  ///< the factor of what lay in the result's place
};

template <class Real>
[[nodiscard]] ColumnMajorProduct<Real> column_major(const Product<Real>& product) {
  const auto operand = [](const typename Product<Real>::Operand& ours, std::size_t rows, std::size_t columns) {
    return typename ColumnMajorProduct<Real>::Operand{ours.at, ours.transposed,
                                                      static_cast<int>(ours.transposed ? rows : columns),
                                                      static_cast<long long>(rows * columns)};
  };
  ColumnMajorProduct<Real> theirs;
  theirs.first = operand(product.right, product.inner, product.columns);
  theirs.second = operand(product.left, product.rows, product.inner);
  theirs.result = product.result;
  theirs.result_leading = static_cast<int>(product.columns);
  theirs.result_stride = static_cast<long long>(product.rows * product.columns);
  theirs.rows = static_cast<int>(product.columns);
  theirs.columns = static_cast<int>(product.rows);
  theirs.inner = static_cast<int>(product.inner);
  theirs.count = static_cast<int>(product.count);
  theirs.scale = product.scale;
  theirs.kept = product.into == Into::adds ? Real(1) : Real(0);
  return theirs;
}

}  // namespace sweetspot
