#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "assets/lattice_noise.h"
#include "assets/noise.h"

namespace grouser::internal {

/// Crests are rounded where the noise is within about this of zero, so that the gradient is continuous.
inline constexpr double kCrestWidth = 0.02;
inline double crest(double noise) { return -std::sqrt(noise * noise + kCrestWidth * kCrestWidth); }

/// One octave along rows of points that share their x coordinates: what depends on x alone is worked out
/// once, gradients once per row of the lattice, and the rest is a plain loop for vector instructions.
/// Same bits as lattice_noise() at each point.
class NoiseRow {
 public:
  /// What one thread keeps between the rows it goes through.
  struct Scratch {
    bool valid = false;
    std::int64_t lattice_row = 0;
    std::vector<Gradient2> below, above;  // gradients of two rows of the lattice
    std::vector<double> slope, value;     // NoiseColumn, by component
    void reset() { valid = false; }
  };

  NoiseRow(const NoiseOctave& octave, NoiseKind kind, std::span<const double> x);

  /// Adds the octave's heights at y to `sum`, one entry per x.
  void add(double y, Scratch& scratch, std::span<double> sum) const;

 private:
  void fill_gradients(std::int64_t lattice_row, Scratch& scratch) const;
  void add_point_by_point(double y, std::span<double> sum) const;

  NoiseOctave octave_;
  NoiseKind kind_;
  std::int64_t first_column_ = 0;
  std::size_t columns_ = 0;    // of the lattice that the points meet; 0 = too many to list
  std::vector<int> column_;    // left of each point, from the first
  std::vector<double> part_;   // of the way to the next column
  std::vector<double> fade_;   // fade(part_)
  std::vector<double> place_;  // x coordinates on the lattice
};

}  // namespace grouser::internal
