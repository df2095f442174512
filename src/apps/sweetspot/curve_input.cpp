// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/curve_input.hpp"

#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/client/known_boards.hpp"

namespace sweetspot {
namespace {

/// Ids of boards are a platform and a JetPack: "agx-orin-64-jp6".
bool is_of(const KnownBoard& board, std::string_view platform) {
  constexpr std::string_view jetpack = "-jp";
  return !platform.empty() && board.id.substr(0, platform.size()) == platform &&
         (board.id.size() == platform.size() || board.id.substr(platform.size(), jetpack.size()) == jetpack);
}

}  // namespace

Result<CurveInput> read_curves(const std::string& path) {
  auto text = whole_file(path, most_curve_bytes);
  if (!text) return failure(std::move(text.error()));
  auto curves = parse_curves(*text);
  if (!curves) return failure(std::move(curves.error()).within(path));
  if (curves->empty()) return failure(path + ": expected at least one measured row below the names of the columns");
  return CurveInput{std::move(*text), std::move(*curves)};
}

PlatformTables tables_for(std::span<const Curve> curves) {
  PlatformTables tables;
  for (const Curve& curve : curves) {
    if (tables.find(curve.platform) != tables.end()) continue;
    for (const KnownBoard& board : known_boards()) {
      if (is_of(board, curve.platform)) tables.insert_or_assign(curve.platform, table_of(board));
    }
  }
  return tables;
}

}  // namespace sweetspot
