#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "core/error.h"
#include "terrain/height_field.h"

namespace grouser::internal {

enum class NoiseKind {
  fbm,     ///< fractional Brownian motion: sum of octaves of gradient noise
  ridged,  ///< crests along the zero lines of each octave
};
inline constexpr std::array<const char*, 2> kNoiseKindNames = {"fbm", "ridged"};

/// Roughness as planetary science states it: the RMS of the difference of heights a distance L apart
/// (the deviogram) is ν(L) = rms_deviation · (L / lag)^hurst.
struct NoiseSpec {
  NoiseKind kind = NoiseKind::fbm;
  double hurst = 0.7;           ///< H [-]
  double rms_deviation = 0.05;  ///< ν0 [m]; 0 = flat
  double lag = 1;               ///< L0 [m], at most half the shorter side of the surface
  double wavelength = 4;        ///< of the longest octave [m]
  int octaves = 8;
  double lacunarity = 2;  ///< ratio of the wavelengths of neighbouring octaves [-]
  std::uint64_t seed = 1;
};

/// One layer of gradient noise, of value weight · n(frequency · (x, y) + offset).
struct NoiseOctave {
  double frequency = 1;        ///< cells of the lattice per metre [1/m]
  Vec2 offset = Vec2::Zero();  ///< of the lattice [-]
  std::uint64_t seed = 0;
  double weight = 1;  ///< [m]
};

/// A rough surface of octaves of gradient noise, the same to the bit on every machine.
///
/// The weights of the octaves are such that the expected deviogram of an fbm surface is the power law
/// for lags between the shortest wavelength and a sixth of the longest (docs/theory/assets.md); then
/// this very surface is scaled so that its own deviation at `lag`, along x and y, is the one asked for,
/// and shifted to a mean of zero. In a ridged surface the weights are the same, so H is that of the
/// smooth surface underneath, and the deviation at `lag` holds.
class NoiseField final : public HeightField {
 public:
  /// `domain` must be finite. Throws Error(input) with every parameter out of range.
  NoiseField(const NoiseSpec& spec, const Rect& domain);

  const NoiseSpec& spec() const { return spec_; }

  Rect domain() const override { return domain_; }
  SurfacePoint at(double x, double y) const override;
  void heights(const GridSpec& grid, std::span<double> out) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  void calibrate();
  double raw_height(double x, double y) const;

  NoiseSpec spec_;
  Rect domain_;
  std::vector<NoiseOctave> octaves_;
  double shift_ = 0;  // added to the sum of octaves [m]
};

/// Findings about parameters that do not fit the domain's size.
void check_fit(const NoiseSpec& spec, const Vec2& size, const std::string& place,
               IssueList& issues);

template <class Visitor>
void visit_fields(NoiseSpec& spec, Visitor& visit) {
  visit(FieldInfo{"kind", "rolling (fbm) or crested (ridged)"}, spec.kind, kNoiseKindNames);
  visit(FieldInfo{"hurst", "Hurst exponent: 0 jagged ... 1 smooth"}.in(0.05, 1), spec.hurst);
  visit(FieldInfo{"rms_deviation", "RMS height difference at the lag", "m"}.in(0, 1e4),
        spec.rms_deviation);
  visit(FieldInfo{"lag", "distance at which the deviation holds", "m"}.in(1e-6, 1e6), spec.lag);
  visit(FieldInfo{"wavelength", "wavelength of the longest octave", "m"}.in(1e-6, 1e6),
        spec.wavelength);
  visit(FieldInfo{"octaves", "number of octaves"}.in(1, 20), spec.octaves);
  visit(FieldInfo{"lacunarity", "ratio of neighbouring wavelengths"}.in(1.5, 4), spec.lacunarity);
  visit(FieldInfo{"seed", "another number, another surface"}, spec.seed);
}

}  // namespace grouser::internal
