// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/varlink_framing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sweetspot {
namespace {

using std::string_literals::operator""s;
using Next = MessageReader::Next;

std::vector<std::string> drain(MessageReader& reader) {
  std::vector<std::string> messages;
  std::string message;
  while (reader.next(message) == Next::message) messages.push_back(message);
  return messages;
}

TEST(MessageReader, TakesSeveralMessagesFromOnePacket) {
  MessageReader reader;
  reader.feed("one\0two\0\0thr"s);
  EXPECT_EQ(drain(reader), (std::vector<std::string>{"one", "two", ""}));
  EXPECT_EQ(reader.pending(), 3U);
}

TEST(MessageReader, JoinsAMessageThatComesByteByByte) {
  MessageReader reader;
  std::vector<std::string> messages;
  for (const char c : "{\"method\":\"x\"}\0"s) {
    reader.feed(std::string(1, c));
    for (std::string& message : drain(reader)) messages.push_back(message);
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"{\"method\":\"x\"}"}));
}

TEST(MessageReader, HandsOutTheSameMessagesHoweverTheStreamIsCut) {
  std::string stream;
  std::vector<std::string> expected;
  for (int i = 0; i < 200; ++i) {
    expected.push_back(std::string(static_cast<std::size_t>(i * 7 % 300), static_cast<char>('a' + i % 26)));
    stream += expected.back() + '\0';
  }
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    MessageReader reader;
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t length = std::uniform_int_distribution<std::size_t>(1, 900)(random);
      reader.feed(std::string_view(stream).substr(at, length));
      at += length;
      for (std::string& message : drain(reader)) messages.push_back(message);
    }
    EXPECT_EQ(messages, expected) << "seed " << seed;
  }
}

TEST(MessageReader, TakesAMessageOfExactlyTheLimit) {
  MessageReader reader(1000);
  reader.feed(std::string(1000, 'x'));
  std::string message;
  EXPECT_EQ(reader.next(message), Next::incomplete);
  reader.feed("\0"s);
  EXPECT_EQ(reader.next(message), Next::message);
  EXPECT_EQ(message.size(), 1000U);
}

TEST(MessageReader, RefusesAMessageOverTheLimitBeforeItEnds) {
  MessageReader reader(1000);
  reader.feed(std::string(1001, 'x'));
  std::string message;
  EXPECT_EQ(reader.next(message), Next::too_long);
}

TEST(MessageReader, RefusesAMessageOverTheLimitThatComesWhole) {
  MessageReader reader(1000);
  reader.feed("good\0"s + std::string(1001, 'x') + '\0');
  std::string message;
  EXPECT_EQ(reader.next(message), Next::message);
  EXPECT_EQ(reader.next(message), Next::too_long);
}

TEST(MessageReader, StaysRefusedAndKeepsNothingAfterAMessageOverTheLimit) {
  MessageReader reader(10);
  std::string message;
  reader.feed(std::string(11, 'x'));
  EXPECT_EQ(reader.next(message), Next::too_long);
  reader.feed("\0good\0"s);
  EXPECT_EQ(reader.next(message), Next::too_long);
  EXPECT_EQ(reader.pending(), 0U);
}

}  // namespace
}  // namespace sweetspot
