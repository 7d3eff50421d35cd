#include "contact/scm/facets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/primitives.h"

namespace grouser {
namespace {

std::size_t count_of_four(const std::vector<Facet>& facets) {
  return static_cast<std::size_t>(
      std::count_if(facets.begin(), facets.end(), [](const Facet& f) { return !f.three(); }));
}

/// Across every side that has a length lies a facet with the same side, drawn the other way.
void expect_closed(const std::vector<Facet>& facets) {
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int32_t from = facets[f].corners[k], to = facets[f].corners[(k + 1) % 4];
      const std::int32_t other = facets[f].neighbours[k];
      if (from == to) {
        EXPECT_EQ(other, static_cast<std::int32_t>(f));
        continue;
      }
      const Facet& next = facets[slot(other)];
      bool found = false;
      for (std::size_t l = 0; l < 4; ++l) {
        found = found || (next.corners[l] == to && next.corners[(l + 1) % 4] == from &&
                          next.neighbours[l] == static_cast<std::int32_t>(f));
      }
      EXPECT_TRUE(found) << "facet " << f << ", side " << k;
    }
  }
}

TEST(Facets, SidesOfABoxAreRectangles) {
  const TriMesh box = box_mesh(Vec3(1, 2, 3));
  const std::vector<Facet> facets = facets_of(box, 1e-9);
  ASSERT_EQ(facets.size(), 6U);
  EXPECT_EQ(count_of_four(facets), 6U);
  double area = 0;
  for (const Facet& facet : facets) area += area_vector(box, facet).norm();
  EXPECT_NEAR(area, 2 * (2 + 3 + 6), 1e-14);
  expect_closed(facets);
}

TEST(Facets, TheRimOfAWheelIsMadeOfRectangles) {
  const TriMesh wheel = cylinder_mesh(0.1, 0.05, {.segments = 40, .rings = 1, .cap_rings = 1});
  const std::vector<Facet> facets = facets_of(wheel, 1e-9);
  std::size_t rim = 0;
  for (const Facet& facet : facets) {
    const bool round = std::abs(area_vector(wheel, facet).normalized().z()) < 0.5;
    EXPECT_TRUE(!round || !facet.three());
    rim += round ? 1 : 0;
  }
  EXPECT_EQ(rim, 40U);
  expect_closed(facets);
}

TEST(Facets, WhatIsBentStaysApart) {
  TriMesh box = box_mesh(Vec3(1, 1, 1));
  const TriMesh sphere = sphere_mesh(1, 4);
  EXPECT_EQ(count_of_four(facets_of(sphere, 1e-9)), 0U);
  expect_closed(facets_of(sphere, 1e-9));
  // A corner drawn out by 1 mm bends the three sides that meet there, unless they were cut at it.
  box.vertices[0] *= 1.001;
  EXPECT_LT(count_of_four(facets_of(box, 1e-9)), 6U);
  EXPECT_EQ(count_of_four(facets_of(box, 1e-9)) * 2 +
                (facets_of(box, 1e-9).size() - count_of_four(facets_of(box, 1e-9))),
            12U);
  expect_closed(facets_of(box, 1e-9));
}

}  // namespace
}  // namespace grouser
