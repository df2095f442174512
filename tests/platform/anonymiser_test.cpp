// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/anonymiser.hpp"

#include <gtest/gtest.h>

#include "tests/support/tree_attributes.hpp"

namespace sweetspot::tests {
namespace {

TEST(Anonymiser, ReplacesMacAddressesAndKeepsTwoApart) {
  Anonymiser scrub;
  EXPECT_EQ(scrub.scrubbed("a 48:b0:2d:12:34:56 b 48-B0-2D-12-34-57"), "a 00:00:00:00:00:01 b 00-00-00-00-00-02");
  EXPECT_EQ(scrub.replaced(), 2U);
}

TEST(Anonymiser, ReplacesOneSecretTheSameWayInPathsAndTexts) {
  Anonymiser scrub;
  EXPECT_EQ(scrub.scrubbed("hid-48:b0:2d:12:34:56-battery"), "hid-00:00:00:00:00:01-battery");
  EXPECT_EQ(scrub.scrubbed("../48:b0:2d:12:34:56/x"), "../00:00:00:00:00:01/x");
  EXPECT_EQ(scrub.replaced(), 1U);
}

TEST(Anonymiser, ReplacesUuidsAndLongHexadecimalNumbers) {
  Anonymiser scrub;
  EXPECT_EQ(scrub.scrubbed("1515f2fa-ecbd-4153-ad75-8cf9e93db93e"), "00000000-0000-0000-0000-000000000001");
  EXPECT_EQ(scrub.scrubbed("0x10000000fedcba98765432100000cafe"), "0x00000000000000000000000000000002");
}

TEST(Anonymiser, LeavesWhatItReplacedAlone) {
  Anonymiser scrub({"1421019012345"});
  const std::string once = scrub.scrubbed("SN1421019012345 48:b0:2d:12:34:56");
  EXPECT_EQ(scrub.scrubbed(once), once);
  EXPECT_EQ(scrub.replaced(), 2U);
}

TEST(Anonymiser, LeavesClocksAddressesAndVersionsAlone) {
  Anonymiser scrub;
  for (const char* text :
       {"306000000 408000000 1300500000", "9223372036854775807", "0000:01:00.0", "17000000.gpu",
        "# R36 (release), REVISION: 4.7, GCID: 42132812, DATE: Thu Sep 18 22:54:44 UTC 2025",
        "nvidia,p3737-0000+p3701-0005", "d0b0000000.pcie", "OF_FULLNAME=/bus@0/i2c@c240000/ina3221@40"})
    EXPECT_EQ(scrub.scrubbed(text), text);
}

TEST(Anonymiser, TakesLongSecretsOutEverywhereAndShortOnesAsWords) {
  Anonymiser scrub({"1421019012345", "orin"});
  EXPECT_EQ(scrub.scrubbed("serial1421019012345x"), "serialremovedx");
  EXPECT_EQ(scrub.scrubbed("for orin, not for orinoco"), "for removed, not for orinoco");
}

TEST(Anonymiser, TakesNoSecretThatWouldEatFigures) {
  Anonymiser scrub({"0000", "00", "", "000000000000"});
  EXPECT_EQ(scrub.scrubbed("0000:01:00.0 306000000000000000"), "0000:01:00.0 306000000000000000");
}

TEST(SerialNumbers, AreThoseOfDeviceTreeAndSoc) {
  TreeAttributes board;
  board.set("/sys/firmware/devicetree/base/serial-number", std::string("1421019012345\0", 14));
  board.set("/sys/devices/soc0/serial_number", "2222");
  EXPECT_EQ(serial_numbers(board), (std::vector<std::string>{"1421019012345", "2222"}));
}

}  // namespace
}  // namespace sweetspot::tests
