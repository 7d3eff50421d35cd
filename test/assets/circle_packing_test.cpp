#include "assets/circle_packing.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace grouser::internal {
namespace {

// Against a plain comparison with all circles, for radii over three decades and more circles than
// announced.
TEST(CirclePacking, AnswersAsAllPairsWould) {
  CounterRng rng(1);
  std::vector<double> radii(3000);
  for (double& radius : radii) radius = std::pow(10, rng.uniform(-3, 0));
  std::ranges::sort(radii, std::greater<>());
  CirclePacking packing(10, radii.front());
  std::vector<std::pair<Vec2, double>> placed;
  int refused = 0;
  for (const double radius : radii) {
    const Vec2 centre(rng.uniform(-15, 15), rng.uniform(-15, 15));
    const bool expected = std::ranges::none_of(placed, [&](const auto& other) {
      return (other.first - centre).norm() < other.second + radius;
    });
    ASSERT_EQ(packing.is_free(centre, radius), expected);
    refused += expected ? 0 : 1;
    if (!expected) continue;
    packing.add(centre, radius);
    placed.emplace_back(centre, radius);
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(placed.size(), 500u);
}

}  // namespace
}  // namespace grouser::internal
