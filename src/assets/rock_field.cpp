#include "assets/rock_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "assets/asset_id.h"
#include "assets/circle_packing.h"
#include "assets/field_check.h"
#include "assets/portable_math.h"
#include "core/long_task.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/text.h"
#include "math/angle.h"
#include "math/rotation.h"
#include "terrain/flat_field.h"

namespace grouser::internal {
namespace {

constexpr double kMostRocks = 5e6;

// Streams of random numbers, so that a change of one matter leaves the others as they are.
enum Stream : std::uint64_t { size_stream = 1, shape_stream, place_stream, attitude_stream };

double expected_rocks(const RockFieldSpec& spec) {
  return spec.size.x() * spec.size.y() * expected_count(spec.sizes);
}

/// Diameters, largest first. Steps of a Poisson process along N(>D): the gaps between the expected ranks
/// are exponential, which makes the number of rocks Poisson distributed and the diameters independent
/// draws from the law.
std::vector<double> draw_diameters(const RockFieldSpec& spec) {
  std::vector<double> ranks;
  const double expected = expected_rocks(spec);
  CounterRng rng(spec.seed, size_stream);
  LongTask task("sizing rocks", 2 * static_cast<std::size_t>(expected));
  double rank = 0;
  for (;;) {
    task.advance();
    rank -= portable::log(1 - rng.uniform());
    if (!(rank < expected)) break;
    ranks.push_back(rank / expected);
  }
  std::vector<double> diameters(ranks.size());
  constexpr std::size_t kRocksPerChunk = 256;
  parallel_for(ranks.size(), kRocksPerChunk, [&](std::size_t begin, std::size_t end) {
    task.advance(end - begin);
    for (std::size_t i = begin; i < end; ++i) diameters[i] = diameter_at(spec.sizes, ranks[i]);
  });
  return diameters;
}

/// Shapes of diameter 1 m, their axes in falling order.
std::vector<Rock> make_shapes(const RockFieldSpec& spec) {
  std::vector<Rock> shapes(static_cast<std::size_t>(spec.shapes.count));
  LongTask task("shaping rocks", shapes.size());
  parallel_for(shapes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      task.advance();
      const CounterRng rng(spec.seed, shape_stream);
      const std::uint64_t draw = 4 * k;
      double axes[3];
      for (int i = 0; i < 3; ++i) {
        const double spread = 2 * rng.uniform_at(draw + static_cast<std::uint64_t>(i)) - 1;
        axes[i] = spec.shapes.axis_ratio[i] * (1 + spec.shapes.axis_spread * spread);
      }
      std::sort(axes, axes + 3, std::greater<>());
      const double unit = 2 / (axes[0] + axes[1]);
      shapes[k] = make_rock({.dimensions = {unit * axes[0], unit * axes[1], unit * axes[2]},
                             .shape_roughness = spec.shapes.shape_roughness,
                             .surface_roughness = spec.shapes.surface_roughness,
                             .divisions = spec.shapes.divisions,
                             .density = spec.shapes.density,
                             .seed = rng.bits_at(draw + 3)});
    }
  });
  return shapes;
}

/// Finds room for the rocks, largest circle first; drops those for which there is none.
void place(const RockFieldSpec& spec, RockField& field) {
  constexpr int kMostTries = 300;
  std::ranges::stable_sort(field.rocks, std::greater<>(), &PlacedRock::radius);
  std::vector<PlacedRock> placed;
  placed.reserve(field.rocks.size());
  const double largest = field.rocks.empty() ? 1 : field.rocks.front().radius;
  CirclePacking circles(field.rocks.size(), largest + spec.gap / 2);
  CounterRng rng(spec.seed, place_stream);
  LongTask task("placing rocks", field.rocks.size());
  for (PlacedRock& rock : field.rocks) {
    task.advance();
    const double radius = rock.radius + spec.gap / 2;
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      const double u = rng.uniform() - 0.5, v = rng.uniform() - 0.5;
      const Vec2 centre(u * spec.size.x(), v * spec.size.y());
      if (!circles.is_free(centre, radius)) continue;
      circles.add(centre, radius);
      rock.pose.p = {spec.position.x() + centre.x(), spec.position.y() + centre.y(), 0};
      placed.push_back(rock);
      break;
    }
  }
  field.report.refused = field.rocks.size() - placed.size();
  field.report.placed = placed.size();
  field.rocks = std::move(placed);
}

struct Quaternion {
  double w, x, y, z;
};

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/// Attitude of rock number `index`; four random numbers each.
Mat3 draw_attitude(const RockFieldSpec& spec, const Vec3& normal, std::uint64_t index) {
  const CounterRng rng(spec.seed, attitude_stream);
  const auto uniform = [&](std::uint64_t k) { return rng.uniform_at(4 * index + k); };
  Quaternion q{1, 0, 0, 0};
  if (spec.attitude == RockAttitude::random) {
    // Evenly over all attitudes: Shoemake, "Uniform random rotations", Graphics Gems III (1992).
    const double part = uniform(0), a = std::sqrt(1 - part), b = std::sqrt(part);
    const portable::SinCos s = portable::sin_cos(kTurn * uniform(1));
    const portable::SinCos t = portable::sin_cos(kTurn * uniform(2));
    q = {b * t.cos, a * s.sin, a * s.cos, b * t.sin};
  } else {
    const portable::SinCos yaw = portable::sin_cos(kTurn / 2 * uniform(0));
    const portable::SinCos axis = portable::sin_cos(kTurn * uniform(1));
    const double tilt_deg = spec.tilt_deg * uniform(2);
    const portable::SinCos tilt = portable::sin_cos(kTurn / 720 * tilt_deg);
    const Quaternion to_normal{1 + normal.z(), -normal.y(), normal.x(), 0};
    q = to_normal * (Quaternion{tilt.cos, tilt.sin * axis.cos, tilt.sin * axis.sin, 0} *
                     Quaternion{yaw.cos, 0, 0, yaw.sin});
  }
  const double wxyz[4] = {q.w, q.x, q.y, q.z};
  return rotation_from_wxyz(wxyz);
}

/// Lowest and highest point of a mesh along a direction.
HeightRange extent_along(const TriMesh& mesh, double x, double y, double z) {
  HeightRange extent{.min = INFINITY, .max = -INFINITY};
  for (const Vec3& p : mesh.vertices) {
    const double height = x * p.x() + y * p.y() + z * p.z();
    extent.min = std::min(extent.min, height);
    extent.max = std::max(extent.max, height);
  }
  return extent;
}

/// Sets a rock that has its place in the plane onto the ground.
void settle(const RockFieldSpec& spec, const HeightField& ground, const Rock& shape,
            std::uint64_t index, PlacedRock& rock) {
  const SurfacePoint below = ground.at(rock.pose.p.x(), rock.pose.p.y());
  const double gx = below.gradient.x(), gy = below.gradient.y();
  const double nz = 1 / std::sqrt(1 + gx * gx + gy * gy);
  const Vec3 n(-gx * nz, -gy * nz, nz);
  rock.pose.R = draw_attitude(spec, n, index);
  const Mat3& R = rock.pose.R;
  const auto seen = [&](int axis) {  // the normal in the rock's frame
    return R(0, axis) * n.x() + R(1, axis) * n.y() + R(2, axis) * n.z();
  };
  const HeightRange extent = extent_along(shape.mesh, seen(0), seen(1), seen(2));
  const double buried = rock.loose ? 0 : spec.buried;
  const double lift = -extent.min - buried * (extent.max - extent.min);
  rock.pose.p.z() = below.height + rock.scale * lift / nz;
}

}  // namespace

void check_fit(const RockFieldSpec& spec, const std::string& place, IssueList& issues) {
  const RockSizeSpec& sizes = spec.sizes;
  if (!(sizes.min_diameter < sizes.max_diameter)) {
    add_issue(issues, place, "sizes.min_diameter", sizes.min_diameter,
              "not below the largest diameter", "< " + format_number(sizes.max_diameter) + " [m]");
  } else if (const double expected = expected_rocks(spec); expected > kMostRocks) {
    add_issue(issues, place, "sizes.min_diameter", sizes.min_diameter,
              "too many rocks are expected",
              "larger rocks or a smaller area, for at most 5 million (here " +
                  format_number(std::round(expected)) + ")");
  }
  const double spread = (1 + spec.shapes.axis_spread) / (1 - spec.shapes.axis_spread);
  const double ratio =
      spread * spec.shapes.axis_ratio.maxCoeff() / spec.shapes.axis_ratio.minCoeff();
  constexpr double kMostRatio = 100;  // as in a single rock
  if (ratio > kMostRatio) {
    add_issue(issues, place, "shapes.axis_ratio", ratio,
              "the longest axis can become too much longer than the shortest", "<= 100 times");
  }
}

void check_on_terrain(const RockFieldSpec& spec, const Rect& terrain) {
  if (spec.position == Vec2::Zero()) return;  // larger than the terrain it may be, about its middle
  const Rect rocks{spec.position - spec.size / 2, spec.position + spec.size / 2};
  constexpr double kTiny = 1e-9;  // [m]
  const Vec2 lower = terrain.lower + spec.size / 2, upper = terrain.upper - spec.size / 2;
  if ((rocks.lower.array() >= terrain.lower.array() - kTiny).all() &&
      (rocks.upper.array() <= terrain.upper.array() + kTiny).all()) {
    return;
  }
  const auto range = [](const char* name, double low, double high) {
    return low <= high ? fmt::format("{} {} ... {}", name, format_number(low), format_number(high))
                       : fmt::format("{}: the field is larger than the terrain", name);
  };
  throw Error(
      ErrorKind::input,
      Issue{.message = fmt::format("the rocks' field of {} x {} m would reach beyond the terrain",
                                   format_number(spec.size.x()), format_number(spec.size.y())),
            .field = "position",
            .value = fmt::format("{}, {}", format_number(spec.position.x()),
                                 format_number(spec.position.y())),
            .legal = fmt::format("{}, {} [m]", range("x", lower.x(), upper.x()),
                                 range("y", lower.y(), upper.y()))});
}

void validate(const RockFieldSpec& spec, const std::string& place) { validate_fields(spec, place); }

std::uint64_t asset_id(const RockFieldSpec& spec) { return text_hash(canonical_text(spec)); }

RockField make_rock_field(const RockFieldSpec& spec, const HeightField& ground) {
  validate(spec);
  RockField field;
  field.report.expected = expected_rocks(spec);
  field.shapes = make_shapes(spec);
  const CounterRng rng(spec.seed, shape_stream);
  // After the draws that the shapes themselves have taken.
  const std::uint64_t first_draw = 4 * field.shapes.size();
  for (const double diameter : draw_diameters(spec)) {
    const std::size_t index = field.rocks.size();
    const std::size_t shape = rng.index_at(first_draw + index, field.shapes.size());
    const double d3 = diameter * diameter * diameter;
    const Rock& rock = field.shapes[shape];
    field.rocks.push_back({.diameter = diameter,
                           .shape = static_cast<int>(shape),
                           .scale = diameter,
                           .radius = diameter * rock.radius,
                           .mass = d3 * rock.inertia.mass,
                           .inertia = d3 * diameter * diameter * rock.inertia.about_com,
                           .loose = diameter < spec.loose_below});
  }
  field.report.asked = field.rocks.size();
  place(spec, field);
  constexpr std::size_t kRocksPerChunk = 64;
  LongTask task("settling rocks", field.rocks.size());
  parallel_for(field.rocks.size(), kRocksPerChunk, [&](std::size_t begin, std::size_t end) {
    task.advance(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      PlacedRock& rock = field.rocks[i];
      settle(spec, ground, field.shapes[static_cast<std::size_t>(rock.shape)], i, rock);
    }
  });
  return field;
}

RockField make_rock_field(const RockFieldSpec& spec) { return make_rock_field(spec, FlatField()); }

}  // namespace grouser::internal
