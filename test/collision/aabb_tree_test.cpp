#include "collision/aabb_tree.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace grouser::internal {
namespace {

Aabb random_box(CounterRng& rng, double space) {
  const Vec3 centre(rng.uniform(0, space), rng.uniform(0, space), rng.uniform(0, space));
  const Vec3 half(rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5));
  return {centre - half, centre + half};
}

std::vector<int> sorted_query(const AabbTree& tree, const Aabb& box) {
  std::vector<int> found;
  tree.query(box, [&](int leaf) { found.push_back(leaf); });
  std::ranges::sort(found);
  return found;
}

TEST(AabbTree, EmptyAndSingle) {
  AabbTree tree;
  EXPECT_TRUE(sorted_query(tree, {Vec3::Zero(), Vec3::Ones()}).empty());
  EXPECT_EQ(tree.insert({Vec3::Zero(), Vec3::Ones()}), 0);
  EXPECT_EQ(sorted_query(tree, {Vec3::Ones(), 2 * Vec3::Ones()}).size(), 1u);  // touching counts
  EXPECT_TRUE(tree.update(0, {3 * Vec3::Ones(), 4 * Vec3::Ones()}));
  EXPECT_TRUE(sorted_query(tree, {Vec3::Zero(), 2 * Vec3::Ones()}).empty());
}

TEST(AabbTree, PairsAreThoseThatQueriesFind) {
  CounterRng rng(8);
  AabbTree tree(0.2);
  for (int i = 0; i < 1000; ++i) tree.insert(random_box(rng, 8));
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<int, int>> found, expected;
    tree.pairs([&](int a, int b) { found.emplace_back(std::min(a, b), std::max(a, b)); });
    for (int a = 0; a < tree.size(); ++a) {
      for (const int b : sorted_query(tree, tree.box(a))) {
        if (a < b) expected.emplace_back(a, b);
      }
    }
    std::ranges::sort(found);
    EXPECT_GT(found.size(), 500u);
    EXPECT_EQ(found, expected);
    for (int i = 0; i < 700; ++i) tree.update(i, random_box(rng, 8));
    tree.renew();
  }
}

TEST(AabbTree, RenewedAfterAsManyMovesAsLeaves) {
  AabbTree tree;
  for (int i = 0; i < 64; ++i) tree.insert({Vec3(i, 0, 0), Vec3(i + 0.5, 1, 1)});
  tree.renew();
  EXPECT_EQ(tree.height(), 6);
  EXPECT_EQ(sorted_query(tree, {Vec3(9.6, 0, 0), Vec3(11.2, 1, 1)}), (std::vector<int>{10, 11}));
}

TEST(AabbTree, AFatBoxAnswersWithTheExactOne) {
  AabbTree tree(0.5);
  tree.insert({Vec3::Zero(), Vec3::Ones()});
  tree.insert({Vec3::Constant(5), Vec3::Constant(6)});
  EXPECT_TRUE(sorted_query(tree, {Vec3::Constant(1.1), Vec3::Constant(1.2)}).empty());
  EXPECT_FALSE(tree.update(0, {Vec3::Constant(0.2), Vec3::Constant(1.2)}));  // stays in its fat box
  EXPECT_EQ(sorted_query(tree, {Vec3::Constant(1.1), Vec3::Constant(1.2)}), std::vector<int>{0});
}

// 10⁴ boxes over 50 moves; each time a few hundred queries against all boxes by brute force.
TEST(AabbTree, FindsWhatBruteForceFinds) {
  constexpr int kBoxes = 10000;
  CounterRng rng(5);
  AabbTree tree(0.1);
  std::vector<Aabb> boxes;
  for (int i = 0; i < kBoxes; ++i) {
    boxes.push_back(random_box(rng, 20));
    EXPECT_EQ(tree.insert(boxes.back()), i);
  }
  std::size_t hits = 0;
  int moved = 0;
  for (int move = 0; move < 50; ++move) {
    for (int i = 0; i < kBoxes; ++i) {
      Aabb& box = boxes[static_cast<std::size_t>(i)];
      const bool far = rng.index(100) == 0;
      const double step = far ? 10 : 0.05;
      const Vec3 d(rng.uniform(-step, step), rng.uniform(-step, step), rng.uniform(-step, step));
      box.lower += d;
      box.upper += d;
      moved += tree.update(i, box) ? 1 : 0;
    }
    if (move % 2 == 0) tree.renew();
    for (int q = 0; q < 20; ++q) {
      const Aabb box = random_box(rng, 20);
      std::vector<int> expected;
      for (int i = 0; i < kBoxes; ++i) {
        if (boxes[static_cast<std::size_t>(i)].overlaps(box)) expected.push_back(i);
      }
      ASSERT_EQ(sorted_query(tree, box), expected);
      hits += expected.size();
    }
  }
  EXPECT_GT(hits, 500u);
  EXPECT_LT(moved, 50 * kBoxes / 5);  // measured 0.13 of all moves: most stay in their fat box
  EXPECT_LE(tree.height(), 1.44 * std::log2(kBoxes) + 1);  // an AVL tree is no higher
}

}  // namespace
}  // namespace grouser::internal
