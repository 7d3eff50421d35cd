#pragma once

#include <array>
#include <cmath>
#include <cstdint>

/// Gradient noise: a random gradient at each node of the unit lattice, blended by quintic weights, so
/// that value and first two derivatives are continuous. Zero at the nodes, mean 0. Only + - * and floor,
/// so that it is the same to the bit everywhere. After Perlin, "Improving noise", SIGGRAPH 2002, with a
/// hash of our own instead of a permutation table, so that it does not repeat.
namespace grouser::internal {

/// Mixes 64 bits; the finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

constexpr std::uint64_t lattice_hash(std::uint64_t seed, std::int64_t i, std::int64_t j,
                                     std::int64_t k = 0) {
  return mixed(seed + static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15 +
               static_cast<std::uint64_t>(j) * 0xD1B54A32D192ED03 +
               static_cast<std::uint64_t>(k) * 0xABC98388FB8FAC03);
}

/// Weight that rises from 0 to 1 on [0, 1], with its slope.
constexpr double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
constexpr double fade_slope(double t) { return 30 * t * t * ((t - 1) * (t - 1)); }

struct Gradient2 {
  double x, y;
};

/// Unit vectors of evenly spread directions.
inline constexpr std::size_t kGradientCount = 256;
constexpr std::array<Gradient2, kGradientCount> make_gradient_table() {
  // The step 2π / 256 as cosine and sine; the rounding of 64 steps is of no matter.
  constexpr double kCos = 0.99969881869620425, kSin = 0.024541228522912288;
  std::array<Gradient2, kGradientCount> table{};
  Gradient2 g{1, 0};
  for (std::size_t i = 0; i < kGradientCount / 4; ++i) {
    table[i] = g;
    table[i + kGradientCount / 4] = {-g.y, g.x};
    table[i + kGradientCount / 2] = {-g.x, -g.y};
    table[i + kGradientCount / 4 * 3] = {g.y, -g.x};
    g = {g.x * kCos - g.y * kSin, g.x * kSin + g.y * kCos};
  }
  return table;
}
inline constexpr std::array<Gradient2, kGradientCount> kGradients = make_gradient_table();

inline const Gradient2& lattice_gradient(std::uint64_t seed, std::int64_t i, std::int64_t j) {
  return kGradients[lattice_hash(seed, i, j) % kGradientCount];
}

/// |noise| never exceeds the first, |∇noise| never the second: both are the largest sums of what the
/// four corners can contribute, found on a fine grid of the unit cell and rounded up.
inline constexpr double kNoiseBound = 0.70711;
inline constexpr double kNoiseSlopeBound = 2.1;

/// The noise along a column of the lattice, blended between its nodes below and above: slope and value
/// at the column, linear across it.
struct NoiseColumn {
  double slope, value;
};
inline NoiseColumn noise_column(const Gradient2& below, const Gradient2& above, double v,
                                double fade_v) {
  const double value = below.y * v;
  return {below.x + fade_v * (above.x - below.x), value + fade_v * (above.y * (v - 1) - value)};
}

/// Between two columns, at the part u of the way.
inline double noise_between(const NoiseColumn& left, const NoiseColumn& right, double u,
                            double fade_u) {
  const double a = left.slope * u + left.value;
  const double b = right.slope * (u - 1) + right.value;
  return a + fade_u * (b - a);
}

struct NoiseValue {
  double value, dx, dy;
};

/// Value at a point of the lattice's plane.
double lattice_noise(std::uint64_t seed, double x, double y);
/// The same value, bit for bit, with its derivatives.
NoiseValue lattice_noise_gradient(std::uint64_t seed, double x, double y);

/// In space; within ±1.23. Gradients point along the 12 directions from the middle of a cube to those of its edges.
double lattice_noise(std::uint64_t seed, double x, double y, double z);

}  // namespace grouser::internal
