#include "sim/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/angle.h"
#include "math/rotation.h"
#include "multibody/balance.h"
#include "multibody/forward_dynamics.h"
#include "sim/rover_plan.h"
#include "sim/standing_tree.h"
#include "sim/wheel_bearing.h"
#include "sim/world_ode.h"

namespace grouser::internal {
namespace {

constexpr int kRounds = 14;         // of finding loads and sinkages in turn
constexpr int kBold = 2;            // rounds that take what they find as it is
constexpr double kSettled = 1e-5;   // change of a pose between rounds that is none [m], [rad]
constexpr double kRestless = 5e-3;  // change that is too large in the end [m], [rad]
constexpr double kSteepest = 75 * kDegree;      // of a rover that stands
constexpr double kSteepestTurn = 30 * kDegree;  // of a rover that is let go where it stood before

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Counter-clockwise (Andrew's monotone chain).
std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
  std::ranges::sort(points, [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  std::vector<Vec2> hull;
  for (const bool upper : {false, true}) {
    const std::size_t begin = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= begin + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::ranges::reverse(points);
  }
  return hull;
}

/// The ground below the rover as a plane.
GroundPlane ground_below(const World& world, const PlaceRequest& request,
                         const StandingTree& tree) {
  return world.ground->map.plane_under(request.at, tree.reach());
}

void describe(const GroundPlane& plane, Placement& placement) {
  placement.slope = std::acos(std::clamp(plane.normal.z(), -1.0, 1.0));
  placement.uphill = std::atan2(-plane.normal.y(), -plane.normal.x());
}

/// Whether all wheels are above the map.
bool is_on_map(const World& world, const StandingTree& tree) {
  const Rect domain = world.ground->map.domain();
  return std::ranges::all_of(
      tree.gaps(), [&](const WheelGap& gap) { return domain.contains(gap.point.head<2>()); });
}

double margin_of(const StandingTree& tree, bool loaded_only, const std::vector<double>& loads) {
  std::vector<Vec2> points;
  for (std::size_t w = 0; w < tree.gaps().size(); ++w) {
    if (!loaded_only || loads[w] > 0) points.emplace_back(tree.gaps()[w].point.head<2>());
  }
  return distance_inside_hull(tree.centre_of_mass().head<2>(), std::move(points));
}

/// Springs that hold all wheels at the ground, both ways.
std::vector<WheelSpring> glue(const StandingTree& tree) {
  constexpr double kGive = 1e-3;  // under its share of the weight [m]
  const double share = tree.weight() / static_cast<double>(tree.wheel_count());
  return std::vector<WheelSpring>(tree.wheel_count(),
                                  {.load = share, .stiffness = share / kGive, .glued = true});
}

std::string tips(double margin, const Placement& placement) {
  return fmt::format(
      "would roll over: its centre of mass is {:.3g} m outside the polygon of its wheels' "
      "contacts, "
      "on a slope of {:.1f}° that rises towards {:.0f}°",
      -margin, placement.slope * kDegPerRad, placement.uphill * kDegPerRad);
}

/// The mean of two springs at each depth.
WheelSpring mean_of(const WheelSpring& a, const WheelSpring& b) {
  const auto at_surface = [](const WheelSpring& s) { return s.load - s.stiffness * s.sinkage; };
  WheelSpring mean{.sinkage = (a.sinkage + b.sinkage) / 2,
                   .stiffness = (a.stiffness + b.stiffness) / 2};
  mean.load = (at_surface(a) + at_surface(b)) / 2 + mean.stiffness * mean.sinkage;
  return mean;
}

/// Lets the wheels go, so that they are borne as the ground bears them. Returns how far the pose moved in the last
/// round [m], [rad].
double settle(WheelBearing& bearing, bool leans, StandingTree& tree,
              std::vector<WheelSpring>& springs) {
  double change = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<WheelSpring> last = springs;
    springs = bearing.springs_for(tree, tree.loads(springs));
    // Soil on a grid yields in jumps: later rounds go half as far, so that they end.
    for (std::size_t w = 0; round > kBold && w < springs.size(); ++w) {
      springs[w] = mean_of(last[w], springs[w]);
    }
    const VecX before = tree.coordinates();
    if (!tree.balance(springs)) break;
    if (leans) tree.lean(springs);
    change = (tree.coordinates() - before).cwiseAbs().maxCoeff();
    if (change < kSettled) break;
  }
  return change;
}

/// The same, with friction as at rest; without it where that finds no pose. Returns whether it is at rest in the end.
bool let_go(const World& world, StandingTree& tree, std::vector<WheelSpring>& springs) {
  for (WheelSpring& spring : springs) spring.glued = false;
  WheelBearing bearing(world, tree);
  const VecX glued = tree.coordinates();
  const std::vector<WheelSpring> first = springs;
  if (settle(bearing, true, tree, springs) < kRestless) return true;
  tree.lean_no_more();
  tree.set_coordinates(glued);
  springs = first;
  return settle(bearing, false, tree, springs) < kRestless;
}

void describe(const Rover& rover, const StandingTree& tree, const std::vector<double>& loads,
              Placement& placement) {
  placement.roll = tree.roll();
  placement.pitch = tree.pitch();
  for (std::size_t w = 0; w < rover.wheels.size(); ++w) {
    placement.wheels.push_back({.name = rover.wheels[w].name,
                                .load = loads[w],
                                .sinkage = std::max(0.0, -tree.gaps()[w].least)});
  }
}

}  // namespace

double distance_inside_hull(const Vec2& point, std::vector<Vec2> others) {
  const std::vector<Vec2> hull = convex_hull(std::move(others));
  if (hull.size() < 3) return -1e-9;  // they are on a line: nothing is inside
  double inside = std::numeric_limits<double>::infinity(), outside = inside;
  for (std::size_t k = 0; k < hull.size(); ++k) {
    const Vec2& a = hull[k];
    const Vec2 edge = hull[(k + 1) % hull.size()] - a;
    inside = std::min(inside, cross(edge, point - a) / edge.norm());
    const double t = std::clamp(edge.dot(point - a) / edge.squaredNorm(), 0.0, 1.0);
    outside = std::min(outside, (a + t * edge - point).norm());
  }
  return inside >= 0 ? inside : -outside;
}

Placement place_rover(World& world, const PlaceRequest& request) {
  const Rover& rover = world.rovers[at(request.rover)];
  Placement placement;
  const auto fail = [&](std::string why) {
    placement.problem = std::move(why);
    return placement;
  };
  StandingTree tree(world, request);
  const GroundPlane plane = ground_below(world, request, tree);
  describe(plane, placement);
  tree.lie_on(plane);
  std::vector<WheelSpring> springs = glue(tree);
  if (!tree.balance(springs)) return fail("no way was found to set its wheels on the ground");
  if (!is_on_map(world, tree)) return fail("a wheel would not stand on the terrain");
  placement.margin = margin_of(tree, false, {});
  if (placement.margin < 0) return fail(tips(placement.margin, placement));
  const double roll = tree.roll(), pitch = tree.pitch();
  placement.at_rest = let_go(world, tree, springs);
  const double turn = std::max(std::abs(tree.roll() - roll), std::abs(tree.pitch() - pitch));
  const double tilt = std::max(std::abs(tree.roll()), std::abs(tree.pitch()));
  if (!(tilt < kSteepest && turn < kSteepestTurn)) {
    return fail(fmt::format(
        "does not stand at rest there: its wheels or joints give way, on a slope of {:.1f}°",
        placement.slope * kDegPerRad));
  }
  const std::vector<double> loads = tree.loads(springs);
  placement.margin = margin_of(tree, true, loads);
  describe(rover, tree, loads, placement);
  DynamicsScratch scratch(world.model);
  world.initial.q = tree.positions();
  project_onto_loops(world.model, WorldOde::kLoopTolerance, scratch, world.initial.q.data(),
                     world.initial.v.data());
  return placement;
}

std::string to_text(const Placement& placement) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const StandingWheel& wheel : placement.wheels) {
    least = std::min(least, wheel.sinkage);
    most = std::max(most, wheel.sinkage);
  }
  return fmt::format(
      "stands on a slope of {:.1f}° that rises towards {:.0f}° (from x towards y): roll {:.1f}°, "
      "pitch {:.1f}°; wheels {:.1f} to {:.1f} mm in the ground; centre of mass {:.2f} m inside the "
      "wheels' contacts{}",
      placement.slope * kDegPerRad, placement.uphill * kDegPerRad, placement.roll * kDegPerRad,
      placement.pitch * kDegPerRad, 1e3 * least, 1e3 * most, placement.margin,
      placement.at_rest ? ""
                        : "; the ground is so rough there that it will move a little at first");
}

}  // namespace grouser::internal
