#include "view/live_board.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace grouser::internal {
namespace {

/// A little-endian number within a message.
template <class Number>
Number number_at(const std::string& bytes, std::size_t offset) {
  Number number{};
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

constexpr std::size_t kBlocksAt = 4 + 4 + 8 + 4 + 4 + 4;  // behind a picture without values

/// Blocks that a message holds, of 16 x 16 nodes.
std::uint32_t blocks_in(const Message& message) {
  const auto blocks = number_at<std::uint32_t>(message.bytes, kBlocksAt);
  EXPECT_EQ(message.bytes.size(), kBlocksAt + 4 + blocks * (8 + 4 * 256));
  return blocks;
}

void show(LiveBoard& board, double time, const TiledGrid<double>& change) {
  auto picture = std::make_shared<LivePicture>();
  picture->time = time;
  picture->change = change;
  board.picture = picture;
  ++board.revision;
}

TEST(LiveBoard, APageGetsTheNewestPictureAndDropsTheOthers) {
  const auto board = std::make_shared<LiveBoard>();
  const auto page = listen_to(board);
  Message message;
  EXPECT_FALSE(page->next(message));  // there is none yet
  for (int k = 1; k <= 5; ++k) show(*board, k, {});
  ASSERT_TRUE(page->next(message));
  EXPECT_EQ(number_at<double>(message.bytes, 8), 5);
  EXPECT_FALSE(page->next(message));
}

TEST(LiveBoard, APageThatAcknowledgesNothingIsSentTwoPictures) {
  const auto board = std::make_shared<LiveBoard>();
  const auto page = listen_to(board);
  Message message;
  int sent = 0;
  for (int k = 0; k < 100; ++k) {
    show(*board, k, {});
    sent += page->next(message);
  }
  EXPECT_EQ(sent, 2);
  page->receive(R"({"ack": 99})");  // never sent
  EXPECT_FALSE(page->next(message));
  page->receive(R"({"ack": 1})");
  EXPECT_TRUE(page->next(message));
  EXPECT_EQ(number_at<double>(message.bytes, 8), 99);
}

TEST(LiveBoard, EachPageIsToldOfTheGroundThatItDoesNotKnow) {
  const auto board = std::make_shared<LiveBoard>();
  const auto first = listen_to(board);
  Message message;
  TiledGrid<double> change(200, 100);
  change.set(0, 0, -0.01);
  show(*board, 0, change);
  ASSERT_TRUE(first->next(message));
  EXPECT_EQ(blocks_in(message), 1u);
  first->receive(R"({"ack": 1})");

  change.set(150, 40, 0.02);
  show(*board, 1, change);
  ASSERT_TRUE(first->next(message));
  EXPECT_EQ(blocks_in(message), 1u);
  EXPECT_EQ(number_at<std::int32_t>(message.bytes, kBlocksAt + 4), 150 / 16);
  EXPECT_EQ(number_at<std::int32_t>(message.bytes, kBlocksAt + 8), 40 / 16);
  const std::size_t node = static_cast<std::size_t>(150 % 16 + 16 * (40 % 16));
  EXPECT_EQ(number_at<float>(message.bytes, kBlocksAt + 12 + 4 * node), 0.02F);

  const auto late = listen_to(board);
  ASSERT_TRUE(late->next(message));
  EXPECT_EQ(blocks_in(message), 2u);
  EXPECT_EQ(board->pages, 2);
}

TEST(LiveBoard, OrdersAreKeptWithinReason) {
  LiveBoard board;
  take_orders(R"({"do": "drive", "speed": 1e9, "curvature": "left"})", board);
  EXPECT_TRUE(board.orders.driven);
  EXPECT_EQ(board.orders.speed, 2);
  EXPECT_EQ(board.orders.curvature, 0);
  take_orders(R"({"do": "limit", "factor": -3})", board);
  EXPECT_EQ(board.orders.limit, 0);
  take_orders(R"({"do": "step"})", board);
  EXPECT_TRUE(board.orders.paused);
  EXPECT_EQ(board.orders.steps, 1);
  take_orders(R"({"do": "run"})", board);
  EXPECT_FALSE(board.orders.paused);
}

TEST(LiveBoard, NonsenseIsNoOrder) {
  LiveBoard board;
  const std::string deep(4000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), deep,
        std::string(R"({"do": 7})"), std::string(R"({"do": "format"})"),
        std::string(R"({"ack": -1})"), std::string("\xff\xfe{}")}) {
    EXPECT_EQ(take_orders(text, board), 0u);
  }
  std::minstd_rand random(3);
  for (int k = 0; k < 2000; ++k) {
    std::string text = R"({"do": "drive", "speed": 0.1, "curvature": 1})";
    text[random() % text.size()] = static_cast<char>(random() >> 8);
    take_orders(text, board);
    EXPECT_LE(std::abs(board.orders.speed), 2);
  }
}

}  // namespace
}  // namespace grouser::internal
