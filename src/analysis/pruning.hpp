// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sweetspot/analysis/cart.hpp"

namespace sweetspot {

/// Gives every inner node the strength at which minimal cost-complexity pruning makes it a leaf (Breiman et al., 1984,
/// chapter 3): cost per row of the whole tree, per leaf saved. Time grows with the square of the nodes.
void weigh_pruning(std::vector<CartNode>& nodes, std::size_t rows);

}  // namespace sweetspot
