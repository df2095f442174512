// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/known_boards.hpp"

#include <array>
#include <string>

namespace sweetspot {
namespace {

// nvgpu keeps every 8th of the 12.75 MHz steps its firmware offers (102 MHz) and always the last one, hence the
// irregular ends. "Capture": a public copy of available_frequencies from such a board.
constexpr std::array agx_orin{megahertz(306),  megahertz(408),  megahertz(510),   megahertz(612),
                              megahertz(714),  megahertz(816),  megahertz(918),   megahertz(1020),
                              megahertz(1122), megahertz(1224), megahertz(1300.5)};
constexpr std::array agx_orin_32{megahertz(306), megahertz(408), megahertz(510), megahertz(612),
                                 megahertz(714), megahertz(816), megahertz(918), megahertz(930.75)};
constexpr std::array orin_nx{megahertz(306), megahertz(408), megahertz(510), megahertz(612),
                             megahertz(714), megahertz(816), megahertz(918)};
constexpr std::array orin_nano_super{megahertz(306), megahertz(408), megahertz(510), megahertz(612),
                                     megahertz(714), megahertz(816), megahertz(918), megahertz(1020)};
constexpr std::array agx_xavier{megahertz(114.75),  megahertz(216.75),  megahertz(318.75), megahertz(420.75),
                                megahertz(522.75),  megahertz(624.75),  megahertz(675.75), megahertz(828.75),
                                megahertz(905.25),  megahertz(1032.75), megahertz(1198.5), megahertz(1236.75),
                                megahertz(1338.75), megahertz(1377)};
constexpr std::array nano{megahertz(76.8),  megahertz(153.6), megahertz(230.4), megahertz(307.2),
                          megahertz(384),   megahertz(460.8), megahertz(537.6), megahertz(614.4),
                          megahertz(691.2), megahertz(768),   megahertz(844.8), megahertz(921.6)};
constexpr std::array agx_thor{megahertz(315),  megahertz(420),  megahertz(525),  megahertz(630),  megahertz(735),
                              megahertz(840),  megahertz(945),  megahertz(1050), megahertz(1155), megahertz(1260),
                              megahertz(1365), megahertz(1470), megahertz(1575)};

constexpr std::array boards{
    KnownBoard{"agx-orin-64-jp5", "Jetson AGX Orin 64 GB, JetPack 5.1", agx_orin, "a copy of such a board's own list",
               "JetPack 5.0 lists other clocks (114.75 to 1300.5 MHz, 13 of them)"},
    KnownBoard{"agx-orin-64-jp6", "Jetson AGX Orin 64 GB, JetPack 6", agx_orin, "a copy of such a board's own list",
               ""},
    KnownBoard{"agx-orin-64-jp7", "Jetson AGX Orin 64 GB, JetPack 7.2", agx_orin, "a copy of such a board's own list",
               "captured on JetPack 6; JetPack 7.2 is reported to keep the node unchanged"},
    KnownBoard{"agx-orin-32-jp6", "Jetson AGX Orin 32 GB, JetPack 6", agx_orin_32, "the 64 GB board's steps",
               "the highest clock (930.75 MHz, the maximum in NVIDIA's tables) was not seen on a board"},
    KnownBoard{"orin-nx-16-jp6", "Jetson Orin NX 16 GB, JetPack 6", orin_nx, "a copy of such a board's own list",
               "an image with super mode goes on to 1173 MHz"},
    KnownBoard{"orin-nano-super-jp6", "Jetson Orin Nano 8 GB (super), JetPack 6.2", orin_nano_super,
               "a copy of such a board's own list", ""},
    KnownBoard{"agx-xavier-jp4", "Jetson AGX Xavier, JetPack 4", agx_xavier, "two public lists", ""},
    KnownBoard{"nano-jp4", "Jetson Nano 4 GB, JetPack 4", nano, "a copy of such a board's own list",
               "some images add 998.4 MHz"},
    KnownBoard{"agx-thor-jp7", "Jetson AGX Thor, JetPack 7", agx_thor, "the ends of such a board's list",
               "only the lowest and the highest clock are known; the steps of 105 MHz between them are assumed"},
};

}  // namespace

std::span<const KnownBoard> known_boards() {
  return boards;
}

Result<KnownBoard> known_board(std::string_view id) {
  std::string ids;
  for (const KnownBoard& board : boards) {
    if (board.id == id) return board;
    ids += (ids.empty() ? "" : ", ") + std::string(board.id);
  }
  return failure("board \"" + std::string(id) + "\" is not known; expected one of " + ids);
}

FrequencyTable table_of(const KnownBoard& board) {
  // Never refused: every list above holds clocks.
  return FrequencyTable::from({board.clocks.begin(), board.clocks.end()}).value();
}

}  // namespace sweetspot
