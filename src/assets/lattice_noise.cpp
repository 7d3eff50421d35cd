#include "assets/lattice_noise.h"

namespace grouser::internal {
namespace {

/// Where a coordinate lies in the lattice.
struct Cell {
  std::int64_t index;
  double part;  // of the way to the next node
  explicit Cell(double x) {
    const double floor = std::floor(x);
    index = static_cast<std::int64_t>(floor);
    part = x - floor;
  }
};

/// g · d for the gradient of a node in space: one of (±1, ±1, 0) and its exchanges.
double corner(std::uint64_t hash, double x, double y, double z) {
  const std::uint64_t direction = hash % 12, pair = direction / 4;
  const double first = pair == 2 ? y : x, second = pair == 0 ? y : z;
  return ((direction & 1) != 0 ? -first : first) + ((direction & 2) != 0 ? -second : second);
}

}  // namespace

double lattice_noise(std::uint64_t seed, double x, double y) {
  const Cell cx(x), cy(y);
  const double fade_v = fade(cy.part);
  const auto column = [&](std::int64_t i) {
    return noise_column(lattice_gradient(seed, i, cy.index),
                        lattice_gradient(seed, i, cy.index + 1), cy.part, fade_v);
  };
  return noise_between(column(cx.index), column(cx.index + 1), cx.part, fade(cx.part));
}

NoiseValue lattice_noise_gradient(std::uint64_t seed, double x, double y) {
  const Cell cx(x), cy(y);
  const double u = cx.part, v = cy.part, fade_u = fade(u), fade_v = fade(v);
  NoiseColumn columns[2], slopes[2];  // and their derivatives in v
  for (int side = 0; side < 2; ++side) {
    const Gradient2& below = lattice_gradient(seed, cx.index + side, cy.index);
    const Gradient2& above = lattice_gradient(seed, cx.index + side, cy.index + 1);
    columns[side] = noise_column(below, above, v, fade_v);
    slopes[side] = {
        fade_slope(v) * (above.x - below.x),
        below.y + fade_v * (above.y - below.y) + fade_slope(v) * (above.y * (v - 1) - below.y * v)};
  }
  const double a = columns[0].slope * u + columns[0].value;
  const double b = columns[1].slope * (u - 1) + columns[1].value;
  return {.value = noise_between(columns[0], columns[1], u, fade_u),
          .dx = columns[0].slope + fade_u * (columns[1].slope - columns[0].slope) +
                fade_slope(u) * (b - a),
          .dy = noise_between(slopes[0], slopes[1], u, fade_u)};
}

double lattice_noise(std::uint64_t seed, double x, double y, double z) {
  const Cell cx(x), cy(y), cz(z);
  const double fade_x = fade(cx.part), fade_y = fade(cy.part), fade_z = fade(cz.part);
  double planes[2];
  for (int k = 0; k < 2; ++k) {
    double rows[2];
    for (int j = 0; j < 2; ++j) {
      const auto node = [&](int i) {
        return corner(lattice_hash(seed, cx.index + i, cy.index + j, cz.index + k), cx.part - i,
                      cy.part - j, cz.part - k);
      };
      const double a = node(0), b = node(1);
      rows[j] = a + fade_x * (b - a);
    }
    planes[k] = rows[0] + fade_y * (rows[1] - rows[0]);
  }
  return planes[0] + fade_z * (planes[1] - planes[0]);
}

}  // namespace grouser::internal
