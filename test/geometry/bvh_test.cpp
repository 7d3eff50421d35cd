#include "geometry/bvh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "geometry/bvh_pairs.h"
#include "random_mesh.h"
#include "support/allocation_count.h"

namespace grouser::internal {
namespace {

Aabb box_of(const TriMesh& mesh, std::size_t t, const Pose& X = {}) {
  Aabb box;
  for (const std::int32_t v : mesh.triangles[t]) {
    box.add(X * mesh.vertices[static_cast<std::size_t>(v)]);
  }
  return box;
}

std::set<int> brute_overlaps(const TriMesh& mesh, const Aabb& query) {
  std::set<int> found;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (box_of(mesh, t).overlaps(query)) found.insert(static_cast<int>(t));
  }
  return found;
}

/// All that truly overlap must be visited, each once; the few others must be a rounding error away.
void expect_overlaps_complete(const Bvh& bvh, const TriMesh& mesh, const Aabb& query) {
  std::set<int> found;
  bvh.overlapping(query, [&](int t) { EXPECT_TRUE(found.insert(t).second) << t; });
  EXPECT_TRUE(std::ranges::includes(found, brute_overlaps(mesh, query)));
}

TEST(Bvh, FindsWhatTestingAllFinds) {
  CounterRng rng(1);
  for (const int count : {1, 3, 4, 5, 9, 100, 3000}) {
    const TriMesh mesh = triangle_soup(rng, count, 10, 0.5);
    const Bvh bvh(mesh);
    EXPECT_EQ(bvh.size(), mesh.triangles.size());
    for (int i = 0; i < 50; ++i) {
      const Vec3 p = random_point(rng, 11);
      expect_overlaps_complete(bvh, mesh, {p, p + Vec3(1, 2, 0.5)});
    }
  }
}

TEST(Bvh, VisitsFewMoreThanItShould) {
  CounterRng rng(2);
  const TriMesh mesh = triangle_soup(rng, 3000, 10, 0.5);
  const Bvh bvh(mesh, {.max_leaf = 1});
  std::size_t visited = 0, wanted = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = random_point(rng, 11);
    const Aabb query{p, p + Vec3::Ones()};
    bvh.overlapping(query, [&](int) { ++visited; });
    wanted += brute_overlaps(mesh, query).size();
  }
  EXPECT_EQ(visited, wanted);
}

TEST(Bvh, HoldsForHardInputs) {
  // All in one place; on a line with distances that double; flat; far from the origin.
  std::vector<TriMesh> meshes(4);
  for (int t = 0; t < 200; ++t) {
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (const Vec3& corner : corners) {
      meshes[0].vertices.push_back(corner);
      meshes[1].vertices.push_back(corner + Vec3(std::ldexp(1.0, t % 120), 0, 0));
      meshes[2].vertices.push_back(corner + Vec3(t % 14, (t * 7) % 15, 0));
      meshes[3].vertices.push_back(corner + Vec3(1e8 + t, 1e8, -1e8));
    }
    for (TriMesh& mesh : meshes) mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  for (const TriMesh& mesh : meshes) {
    const Bvh bvh(mesh);
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 7) {
      expect_overlaps_complete(bvh, mesh, box_of(mesh, t));
    }
  }
}

TEST(Bvh, IsEmptyWithoutPrimitives) {
  const Bvh bvh{TriMesh{}};
  bvh.overlapping({Vec3::Zero(), Vec3::Ones()}, [](int) { FAIL(); });
  EXPECT_TRUE(bvh.bounds().empty());
}

TEST(Bvh, BoundsBeyondFloatsStillTouch) {
  const std::vector<Aabb> boxes = {{Vec3::Constant(1e300), Vec3::Constant(2e300)},
                                   {Vec3::Constant(-1), Vec3::Constant(1)}};
  const Bvh bvh(boxes, {.max_leaf = 1});
  std::vector<int> found;
  bvh.overlapping({Vec3::Constant(1.5e300), Vec3::Constant(3e300)},
                  [&](int i) { found.push_back(i); });
  EXPECT_THAT(found, testing::ElementsAre(0));
}

TEST(Bvh, NodesContainTheirChildren) {
  CounterRng rng(3);
  const Bvh bvh(triangle_soup(rng, 2000, 5, 0.3));
  std::set<int> seen;
  for (std::size_t n = 0; n < bvh.nodes().size(); ++n) {
    const Bvh::Node& node = bvh.nodes()[n];
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      if (node.lower[0][lane] > node.upper[0][lane] || node.count[lane] > 0) continue;
      const auto child = static_cast<std::size_t>(node.child[lane]);
      EXPECT_GT(child, n);
      for (std::size_t k = 0; k < Bvh::kWidth; ++k) {
        const Bvh::Node& inner = bvh.nodes()[child];
        if (inner.lower[0][k] > inner.upper[0][k]) continue;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          EXPECT_GE(inner.lower[axis][k], node.lower[axis][lane]);
          EXPECT_LE(inner.upper[axis][k], node.upper[axis][lane]);
        }
      }
    }
  }
  for (const std::int32_t primitive : bvh.order()) EXPECT_TRUE(seen.insert(primitive).second);
}

TEST(Bvh, RefitFollowsMovedTriangles) {
  CounterRng rng(4);
  TriMesh mesh = triangle_soup(rng, 500, 10, 0.5);
  Bvh bvh(mesh);
  for (Vec3& vertex : mesh.vertices) vertex += random_point(rng, 2);
  bvh.refit(mesh);
  EXPECT_EQ(bvh.bounds().lower, bounds(mesh).lower);
  EXPECT_EQ(bvh.bounds().upper, bounds(mesh).upper);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = random_point(rng, 11);
    expect_overlaps_complete(bvh, mesh, {p, p + Vec3::Ones()});
  }
}

TEST(Bvh, PairsAreComplete) {
  CounterRng rng(5);
  for (int trial = 0; trial < 10; ++trial) {
    const TriMesh a = triangle_soup(rng, 300, 5, 0.5), b = triangle_soup(rng, 200, 5, 0.5);
    const Pose X_AB = random_pose(rng, 3);
    std::set<std::pair<int, int>> found;
    overlapping_pairs(Bvh(a), Bvh(b), X_AB, [&](int i, int j) {
      EXPECT_TRUE(found.insert({i, j}).second);
    });
    std::size_t touching = 0;
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
      for (std::size_t j = 0; j < b.triangles.size(); ++j) {
        if (!box_of(a, i).overlaps(box_of(b, j, X_AB))) continue;
        ++touching;
        EXPECT_TRUE(found.contains({static_cast<int>(i), static_cast<int>(j)}));
      }
    }
    EXPECT_GT(touching, 0u);
    EXPECT_LT(found.size(), a.triangles.size() * b.triangles.size() / 5);
  }
}

TEST(Bvh, QueriesDoNotAllocate) {
  CounterRng rng(6);
  const TriMesh mesh = triangle_soup(rng, 1000, 5, 0.5);
  const Bvh bvh(mesh);
  int visited = 0;
  const std::uint64_t before = allocation_count();
  bvh.overlapping({Vec3::Zero(), Vec3::Ones()}, [&](int) { ++visited; });
  overlapping_pairs(bvh, bvh, {Mat3::Identity(), Vec3(1, 0, 0)}, [&](int, int) { ++visited; });
  EXPECT_EQ(allocation_count(), before);
  EXPECT_GT(visited, 0);
}

}  // namespace
}  // namespace grouser::internal
