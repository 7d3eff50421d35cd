#include "contact/scm/facets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

constexpr FacetOptions kPairsOnly{.tolerance = 1e-9, .longest = 0};

bool has_four(const Facet& facet) { return facet.corners[2] != facet.corners[3]; }

std::size_t count_of_four(const std::vector<Facet>& facets) {
  return static_cast<std::size_t>(std::count_if(facets.begin(), facets.end(), has_four));
}

std::size_t count_of_parts(const std::vector<Facet>& facets) {
  std::size_t count = 0;
  for (const Facet& facet : facets) count += facet.parts.size();
  return count;
}

double area_of(const TriMesh& mesh, const std::vector<Facet>& facets) {
  double area = 0;
  for (const Facet& facet : facets) area += area_vector(mesh, facet.corners).norm();
  return area;
}

/// Every side of a part that has a length is there once more, drawn the other way, in a part of the facet
/// that is named as its neighbour.
void expect_closed(const std::vector<Facet>& facets) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> owners;
  const auto for_each_side = [&](auto&& f) {
    for (std::size_t k = 0; k < facets.size(); ++k) {
      for (const FacetPart& part : facets[k].parts) {
        for (std::size_t c = 0; c < 4; ++c) {
          f(static_cast<std::int32_t>(k), part.corners[c], part.corners[(c + 1) % 4],
            part.neighbours[c]);
        }
      }
    }
  };
  for_each_side([&](std::int32_t facet, std::int32_t from, std::int32_t to, std::int32_t) {
    if (from == to) return;
    EXPECT_TRUE(owners.emplace(std::pair(from, to), facet).second);
  });
  for_each_side([&](std::int32_t facet, std::int32_t from, std::int32_t to, std::int32_t other) {
    EXPECT_EQ(other, from == to ? facet : owners.at({to, from}));
  });
}

TEST(Facets, SidesOfABoxAreRectangles) {
  const TriMesh box = box_mesh(Vec3(1, 2, 3));
  const std::vector<Facet> facets = facets_of(box, kPairsOnly);
  ASSERT_EQ(facets.size(), 6U);
  EXPECT_EQ(count_of_four(facets), 6U);
  EXPECT_NEAR(area_of(box, facets), 2 * (2 + 3 + 6), 1e-14);
  expect_closed(facets);
}

TEST(Facets, TheRimOfAWheelIsMadeOfRectangles) {
  const TriMesh wheel = cylinder_mesh(0.1, 0.05, {.segments = 40, .rings = 1, .cap_rings = 1});
  const std::vector<Facet> facets = facets_of(wheel, kPairsOnly);
  std::size_t rim = 0;
  for (const Facet& facet : facets) {
    const bool round = std::abs(area_vector(wheel, facet.corners).normalized().z()) < 0.5;
    EXPECT_TRUE(!round || has_four(facet));
    rim += round ? 1 : 0;
  }
  EXPECT_EQ(rim, 40U);
  expect_closed(facets);
}

TEST(Facets, WhatStandsInARowIsOne) {
  const TriMesh box = box_mesh(Vec3(1, 1, 1), 8);
  const std::vector<Facet> all = facets_of(box, {.tolerance = 1e-9, .longest = 2});
  EXPECT_LT(all.size(), 6U * 12);  // of 384 squares; how they are put together is not said
  EXPECT_EQ(count_of_parts(all), 384U);
  EXPECT_NEAR(area_of(box, all), 6, 1e-13);
  expect_closed(all);
  for (const Facet& facet : facets_of(box, {.tolerance = 1e-9, .longest = 0.3})) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 side =
          box.vertices[slot(facet.corners[k])] - box.vertices[slot(facet.corners[(k + 1) % 4])];
      EXPECT_LE(side.norm(), 0.3);
    }
  }
}

TEST(Facets, WhatIsBentStaysApart) {
  const TriMesh sphere = sphere_mesh(1, 4);
  const std::vector<Facet> round = facets_of(sphere, {.tolerance = 1e-9, .longest = 1});
  EXPECT_EQ(count_of_four(round), 0U);
  EXPECT_EQ(round.size(), sphere.triangles.size());
  expect_closed(round);
  // A corner that is drawn out bends those of its three sides that are not cut there.
  TriMesh box = box_mesh(Vec3(1, 1, 1));
  box.vertices[0] *= 1.001;
  const std::vector<Facet> drawn = facets_of(box, kPairsOnly);
  EXPECT_LT(count_of_four(drawn), 6U);
  EXPECT_EQ(drawn.size() + count_of_four(drawn), 12U);
  expect_closed(drawn);
}

}  // namespace
}  // namespace grouser::internal
