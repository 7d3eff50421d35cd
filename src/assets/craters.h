#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "core/error.h"
#include "terrain/height_field.h"

namespace grouser::internal {

/// One impact crater.
struct CraterSpec {
  Vec2 position = Vec2::Zero();  ///< of its centre [m]
  double diameter = 2;           ///< from crest to crest of the rim [m]
  double depth_ratio = 0;        ///< depth below the rim / diameter when fresh; 0 = by the diameter
  double degradation = 0;        ///< part of the fresh depth that diffusion has taken [-]
};

/// Craters strewn evenly, N(>D) = coefficient · (D / 1 m)^-index per m².
struct RandomCratersSpec {
  double coefficient = 0.01;   ///< craters larger than 1 m [1/m²]
  double index = 2;            ///< [-]
  double min_diameter = 0.5;   ///< [m]
  double max_diameter = 5;     ///< [m]
  double min_degradation = 0;  ///< degradation is even between these two [-]
  double max_degradation = 0.8;
  std::uint64_t seed = 1;
};

/// More diffusion than this leaves a crater too faint and wide to be told from the ground.
inline constexpr double kMaxDegradation = 0.9;

/// Fresh depth / diameter of a lunar crater of the given diameter [m]: 0.10 below 10 m, 0.11 below 40 m,
/// from there to 400 m rising with the logarithm from 0.13 to 0.21, and 0.21 above.
double fresh_depth_ratio(double diameter);

/// Draws craters over a rectangle; their number is Poisson distributed. Largest first.
std::vector<CraterSpec> random_craters(const RandomCratersSpec& spec, const Rect& domain);

/// Heights of craters in level ground, added where they overlap. Only craters near a point cost time.
class CraterField final : public HeightField {
 public:
  /// `domain` must be finite. The craters must be valid.
  CraterField(std::vector<CraterSpec> craters, const Rect& domain);

  const std::vector<CraterSpec>& craters() const { return craters_; }

  Rect domain() const override { return domain_; }
  SurfacePoint at(double x, double y) const override;
  HeightRange range(const Rect& rect) const override;

 private:
  struct Placed {
    Vec2 centre;
    double radius;  // of the rim's crest
    double depth;   // fresh, below the rim
    double degradation;
    double reach;  // beyond this distance from the centre the height is zero
  };
  int cell_x(double x) const;
  int cell_y(double y) const;
  std::span<const std::int32_t> near(int cx, int cy) const;
  void build_index();

  std::vector<CraterSpec> craters_;
  std::vector<Placed> placed_;
  Rect domain_;
  int nx_ = 1, ny_ = 1;  // cells of the index
  double cell_ = 1;
  std::vector<std::int32_t> begin_;    // per cell, into members_
  std::vector<std::int32_t> members_;  // craters that reach into each cell, in order
};

/// Findings about sizes and degradations that are out of order, and numbers that are too large.
void check_fit(const RandomCratersSpec& spec, const Vec2& size, const std::string& place,
               IssueList& issues);

template <class Visitor>
void visit_fields(CraterSpec& spec, Visitor& visit) {
  visit(FieldInfo{"position", "centre: x, y", "m"}.in(-1e6, 1e6), spec.position);
  visit(FieldInfo{"diameter", "from crest to crest of the rim", "m"}.in(1e-3, 1e5), spec.diameter);
  visit(FieldInfo{"depth_ratio", "fresh depth / diameter; 0 = by the diameter"}.in(0, 0.4),
        spec.depth_ratio);
  visit(FieldInfo{"degradation", "part of the depth lost by diffusion"}.in(0, kMaxDegradation),
        spec.degradation);
}

template <class Visitor>
void visit_fields(RandomCratersSpec& spec, Visitor& visit) {
  visit(FieldInfo{"coefficient", "craters larger than 1 m", "1/m²"}.in(0, 1e3), spec.coefficient);
  visit(FieldInfo{"index", "N(>D) falls with D to this power"}.in(0.1, 10), spec.index);
  visit(FieldInfo{"min_diameter", "smallest diameter", "m"}.in(1e-3, 1e5), spec.min_diameter);
  visit(FieldInfo{"max_diameter", "largest diameter", "m"}.in(1e-3, 1e5), spec.max_diameter);
  visit(FieldInfo{"min_degradation", "smallest degradation"}.in(0, kMaxDegradation),
        spec.min_degradation);
  visit(FieldInfo{"max_degradation", "largest degradation"}.in(0, kMaxDegradation),
        spec.max_degradation);
  visit(FieldInfo{"seed", "another number, other craters"}, spec.seed);
}

}  // namespace grouser::internal
