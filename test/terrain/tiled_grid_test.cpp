#include "terrain/tiled_grid.h"

#include <map>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

struct Node {
  double height = 0;
  int flag = 3;  // T{} need not be all zeros
  bool operator==(const Node&) const = default;
  void hash(Hasher& hasher) const {
    hasher.f64(height);
    hasher.u64(static_cast<std::uint64_t>(flag));
  }
};

TEST(TiledGrid, EmptyGiantCostsLittle) {
  const TiledGrid<double> grid(200'001, 200'001);
  EXPECT_LT(grid.memory_bytes(), 2'000'000u);  // 76 832
  EXPECT_EQ(grid.tile_count(), 0u);
  EXPECT_EQ(grid.get(200'000, 200'000), 0);
  EXPECT_EQ(grid.get(0, 123'456), 0);
}

TEST(TiledGrid, HoldsWhatAMapHolds) {
  constexpr int kNx = 1000, kNy = 300;
  TiledGrid<double> grid(kNx, kNy);
  std::map<std::pair<int, int>, double> reference;
  CounterRng rng(1);
  for (int k = 0; k < 5000; ++k) {
    const int i = static_cast<int>(rng.index(kNx)), j = static_cast<int>(rng.index(kNy));
    const double value = rng.uniform(-1, 1);
    grid.set(i, j, value);
    reference[{i, j}] = value;
  }
  for (int j = 0; j < kNy; ++j) {
    for (int i = 0; i < kNx; ++i) {
      const auto found = reference.find({i, j});
      ASSERT_EQ(grid.get(i, j), found == reference.end() ? 0 : found->second);
    }
  }
}

TEST(TiledGrid, MakesOnlyTilesThatAreWritten) {
  TiledGrid<double> grid(10'000, 10'000);
  const std::size_t empty = grid.memory_bytes();
  grid.set(5000, 5000, 0);  // what is there already
  EXPECT_EQ(grid.tile_count(), 0u);
  grid.set(63, 0, 1);
  EXPECT_EQ(grid.tile_count(), 1u);
  EXPECT_NE(grid.tile_at(0, 0), nullptr);
  EXPECT_EQ(grid.tile_at(0, 0)[63], 1);
  EXPECT_EQ(grid.tile_at(1, 0), nullptr);
  grid.set(64, 0, 1);
  EXPECT_EQ(grid.tile_count(), 2u);
  // Two tiles of 32 KB and a page of the directory of 8 KB.
  EXPECT_EQ(grid.memory_bytes() - empty, 2u * 64 * 64 * 8 + 32 * 32 * 8);
  EXPECT_EQ(grid.tiles_x(), 157);
}

TEST(TiledGrid, CopiesShareUntilOneWrites) {
  TiledGrid<double> grid(1000, 1000);
  grid.set(1, 1, 1);
  grid.set(500, 500, 2);
  const TiledGrid<double> snapshot = grid;
  EXPECT_EQ(snapshot.tile_at(0, 0), grid.tile_at(0, 0));
  grid.set(1, 1, 1);  // no change, no copy
  EXPECT_EQ(snapshot.tile_at(0, 0), grid.tile_at(0, 0));
  grid.set(1, 1, 7);
  EXPECT_NE(snapshot.tile_at(0, 0), grid.tile_at(0, 0));
  EXPECT_EQ(snapshot.tile_at(7, 7), grid.tile_at(7, 7));
  EXPECT_EQ(snapshot.get(1, 1), 1);
  EXPECT_EQ(grid.get(1, 1), 7);
  EXPECT_FALSE(grid == snapshot);
  grid = snapshot;
  EXPECT_TRUE(grid == snapshot);
}

TEST(TiledGrid, WritesToOwnTilesDoNotAllocate) {
  TiledGrid<double> grid(1000, 1000);
  for (int i = 0; i < 1000; ++i) grid.set(i, 10, 1);
  const std::uint64_t before = allocation_count();
  for (int i = 0; i < 1000; ++i) grid.set(i, 20, i);
  EXPECT_EQ(allocation_count(), before);
}

TEST(TiledGrid, EqualityAndHashKnowOnlyTheContent) {
  TiledGrid<double> a(500, 500), b(500, 500);
  a.set(10, 10, 1);
  a.set(400, 400, 2);
  b.set(400, 400, 5);  // in another order, by way of other values
  b.set(200, 200, 3);
  b.set(200, 200, 0);  // a tile that is blank again
  b.set(400, 400, 2);
  b.set(10, 10, 1);
  EXPECT_EQ(b.tile_count(), 3u);
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.hash(), b.hash());
  b.set(10, 11, -0.0);
  EXPECT_EQ(a.hash(), b.hash());
  b.set(11, 10, 1e-300);
  EXPECT_FALSE(a == b);
  EXPECT_NE(a.hash(), b.hash());
}

TEST(TiledGrid, HashKnowsWhereAValueStands) {
  TiledGrid<double> a(500, 500), b(500, 500), c(500, 501);
  a.set(10, 10, 1);
  b.set(10 + 64, 10, 1);
  c.set(10, 10, 1);
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_NE(a.hash(), c.hash());
  EXPECT_FALSE(a == c);
}

TEST(TiledGrid, TilesAreVisitedByPosition) {
  TiledGrid<int> grid(5000, 5000);
  grid.set(4000, 64, 1);
  grid.set(0, 4000, 1);
  grid.set(70, 64, 1);
  grid.set(70, 0, 1);
  std::vector<std::pair<int, int>> order;
  grid.for_each_tile([&](int ti, int tj, const int*) { order.push_back({tj, ti}); });
  EXPECT_EQ(order, (std::vector<std::pair<int, int>>{{0, 1}, {1, 1}, {1, 62}, {62, 0}}));
}

TEST(TiledGrid, KeepsStructsWhoseDefaultIsNotZero) {
  TiledGrid<Node, 8> grid(100, 100);
  EXPECT_EQ(grid.get(50, 50).flag, 3);
  grid.set(50, 50, {.height = 1, .flag = 2});
  EXPECT_EQ(grid.get(51, 50).flag, 3);
  const std::uint64_t hash = grid.hash();
  grid.writable_tile(6, 6)[grid.entry(50, 50)].flag = 4;
  EXPECT_NE(grid.hash(), hash);
}

// One side writes while another thread reads and drops its copy; `make test-tsan` watches.
TEST(TiledGrid, CopiesMayLiveInOtherThreads) {
  TiledGrid<double> grid(500, 500);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 500; i += 32) grid.set(i, i, round);
    std::thread reader([copy = grid, round]() mutable {
      double sum = 0;
      for (int i = 0; i < 500; i += 32) sum += copy.get(i, i);
      EXPECT_EQ(sum, 16.0 * round);
      copy = {};
    });
    for (int i = 0; i < 500; i += 32) grid.set(i, i, -1);
    reader.join();
  }
}

}  // namespace
}  // namespace grouser::internal
