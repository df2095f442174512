// SPDX-License-Identifier: Apache-2.0
#include "analysis/markup.hpp"

#include <gtest/gtest.h>

namespace sweetspot {
namespace {

TEST(Markup, EscapesWhatHtmlTakesForItself) {
  EXPECT_EQ(escaped("a<b>&\"c\"='d'"), "a&lt;b&gt;&amp;&quot;c&quot;=&#39;d&#39;");
}

TEST(Markup, LeavesOtherLettersAlone) {
  EXPECT_EQ(escaped("bert-base/sst2 \xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82\n\t"),
            "bert-base/sst2 \xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82\n\t");
}

TEST(Markup, ReplacesWhatIsNoUtf8) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped("\xFF"), replaced);
  EXPECT_EQ(escaped("\xC3"), replaced) << "cut short";
  EXPECT_EQ(escaped("\xC0\xBC"), replaced + replaced) << "a '<' that is too long";
  EXPECT_EQ(escaped("\xED\xA0\x80"), replaced + replaced + replaced) << "half a surrogate pair";
  EXPECT_EQ(escaped("\xC3<"), replaced + "&lt;") << "a broken sequence must not swallow a '<'";
}

TEST(Markup, ReplacesControlsAndTurnedWriting) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped(std::string_view("\0\x1B\x7F", 3)), replaced + replaced + replaced);
  EXPECT_EQ(escaped("\xC2\x85"), replaced) << "a C1 control";
  EXPECT_EQ(escaped("\xE2\x80\xAE"), replaced) << "right-to-left override";
  EXPECT_EQ(escaped("\xE2\x81\xA6"), replaced) << "left-to-right isolate";
  EXPECT_EQ(escaped("\xE2\x80\x93"), "\xE2\x80\x93") << "a dash beside them";
}

}  // namespace
}  // namespace sweetspot
