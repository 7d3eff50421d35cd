#include "assets/rock.h"

#include <algorithm>
#include <cmath>

#include "assets/asset_id.h"
#include "assets/field_check.h"
#include "assets/lattice_noise.h"
#include "assets/portable_math.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/primitives.h"

namespace grouser::internal {
namespace {

// Standard deviation of lattice_noise() in space: √(2 I₂ I₀²), with the integrals I₀ = 0.783550 and
// I₂ = 0.059385 of the blending weights w² and w² x².
constexpr double kNoiseRms = 0.27004;

/// Octaves of noise on the unit sphere with RMS of about 1.
class SphereNoise {
 public:
  struct Layer {
    double frequency, weight;
    bool edged;  // -|noise| instead of noise: edges along its zero lines, as between broken faces
  };

  SphereNoise(std::uint64_t seed, std::uint64_t stream, std::vector<Layer> layers)
      : layers_(std::move(layers)) {
    CounterRng rng(seed, stream);
    double variance = 0;
    for (const Layer& layer : layers_) {
      seeds_.push_back(rng.bits());
      // For a normal deviate, |x| has the mean 0.8 and the variance 0.36.
      variance += layer.weight * layer.weight * (layer.edged ? 0.36 : 1.0);
    }
    scale_ = 1 / std::sqrt(variance);
  }

  double operator()(const Vec3& u) const {
    double sum = 0;
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const Layer& layer = layers_[k];
      // A constant keeps the lattice's node, where all noise is zero, out of the centre.
      const double f = layer.frequency, shift = 0.37 + static_cast<double>(k);
      const double noise =
          lattice_noise(seeds_[k], f * u.x() + shift, f * u.y() + shift, f * u.z() + shift) /
          kNoiseRms;
      sum += layer.weight * (layer.edged ? 0.8 - std::abs(noise) : noise);
    }
    return scale_ * sum;
  }

 private:
  std::vector<Layer> layers_;
  std::vector<std::uint64_t> seeds_;
  double scale_ = 1;
};

/// The unit sphere with its radius changed by noise. An exponential keeps the radius positive, hence the
/// surface free of cuts however rough it is.
TriMesh rough_sphere(const RockSpec& spec) {
  TriMesh mesh = sphere_mesh(1, spec.divisions);
  if (spec.shape_roughness == 0 && spec.surface_roughness == 0) return mesh;
  const SphereNoise shape(spec.seed, 1, {{1.3, 1, false}, {1.9, 1.2, true}, {3.5, 0.3, false}});
  const SphereNoise surface(spec.seed, 2, {{6, 1, false}, {12, 0.6, false}, {24, 0.35, false}});
  constexpr std::size_t kVerticesPerChunk = 1024;
  parallel_for(mesh.vertices.size(), kVerticesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3 u = mesh.vertices[v];
      const double radius =
          portable::exp(spec.shape_roughness * shape(u) + spec.surface_roughness * surface(u));
      mesh.vertices[v] = {radius * u.x(), radius * u.y(), radius * u.z()};
    }
  });
  return mesh;
}

/// Moves, shears and scales the mesh so that its centre of mass is the origin and its second moments are
/// those of the ellipsoid: with M = ∫ d dᵀ dV / V = L Lᵀ the map is d ↦ diag(a, b, c) / √20 · L⁻¹ d.
/// Affine maps keep a surface free of cuts.
void fit_to_ellipsoid(const Vec3& axes, TriMesh& mesh) {
  const SolidProperties solid = solid_properties(mesh);
  const Mat3& I = solid.inertia;
  const double trace = I(0, 0) + I(1, 1) + I(2, 2), V = solid.volume;
  const auto moment = [&](int i, int j) { return ((i == j ? trace / 2 : 0) - I(i, j)) / V; };
  const double l00 = std::sqrt(moment(0, 0));
  const double l10 = moment(1, 0) / l00, l20 = moment(2, 0) / l00;
  const double l11 = std::sqrt(moment(1, 1) - l10 * l10);
  const double l21 = (moment(2, 1) - l20 * l10) / l11;
  const double l22 = std::sqrt(moment(2, 2) - l20 * l20 - l21 * l21);
  const double root = std::sqrt(20.0);
  for (Vec3& p : mesh.vertices) {
    const double x = (p.x() - solid.centroid.x()) / l00;
    const double y = (p.y() - solid.centroid.y() - l10 * x) / l11;
    const double z = (p.z() - solid.centroid.z() - l20 * x - l21 * y) / l22;
    p = {axes.x() / root * x, axes.y() / root * y, axes.z() / root * z};
  }
}

}  // namespace

void check_fit(const RockSpec& spec, const std::string& place, IssueList& issues) {
  constexpr double kMostRatio = 100;
  if (spec.dimensions.maxCoeff() <= kMostRatio * spec.dimensions.minCoeff()) return;
  add_issue(issues, place, "dimensions", spec.dimensions.maxCoeff() / spec.dimensions.minCoeff(),
            "the longest axis is too much longer than the shortest", "<= 100 times");
}

void validate(const RockSpec& spec, const std::string& place) { validate_fields(spec, place); }

std::uint64_t asset_id(const RockSpec& spec) { return text_hash(canonical_text(spec)); }

Rock make_rock(const RockSpec& spec) {
  validate(spec);
  Rock rock{.mesh = rough_sphere(spec)};
  fit_to_ellipsoid(spec.dimensions, rock.mesh);
  const SolidProperties solid = solid_properties(rock.mesh);
  rock.volume = solid.volume;
  rock.inertia = solid.at_density(spec.density);
  rock.inertia.com = Vec3::Zero();  // but for rounding
  double squared = 0;
  for (const Vec3& p : rock.mesh.vertices) {
    squared = std::max(squared, p.x() * p.x() + p.y() * p.y() + p.z() * p.z());
  }
  rock.radius = std::sqrt(squared);
  return rock;
}

}  // namespace grouser::internal
