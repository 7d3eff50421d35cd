#include "sim/rover_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/angle.h"
#include "multibody/forces.h"
#include "sim/listed.h"
#include "sim/rover_bodies.h"
#include "sim/rover_plan.h"
#include "terrain/polygon.h"

namespace grouser::internal {
namespace {

class RoverStart {
 public:
  RoverStart(const World& world, const Kinematics& kinematics, const Rover& rover,
             std::vector<std::string>& warnings)
      : world_(world), kinematics_(kinematics), rover_(rover), warnings_(warnings) {}

  void look() {
    look_at_names();
    look_at_shapes();
    if (!world_.ground || !is_on_ground()) return;
    look_at_heights();
    look_at_gravity();
    look_at_balance();
    look_at_base();
  }

 private:
  template <class... Args>
  void warn(fmt::format_string<Args...> text, Args&&... args) {
    warnings_.push_back(rover_.name + ": " + fmt::format(text, std::forward<Args>(args)...));
  }
  const Vec3& place(int body) const { return kinematics_.X_WB[at(body)].p; }

  bool is_on_ground() const {
    return std::ranges::any_of(rover_.wheels, [&](const Wheel& wheel) {
      return ground_of_body(world_, wheel.body) != GroundContact::none;
    });
  }

  /// "left", "right", "front", "rear" in the names of wheels.
  void look_at_names() {
    const RoverPlan plan = plan_rover(world_, rover_);
    for (std::size_t w = 0; w < rover_.wheels.size(); ++w) {
      const std::string& full = rover_.wheels[w].name;
      const std::string name = full.substr(full.rfind('/') + 1);
      const auto says = [&](const char* word) { return name.find(word) != std::string::npos; };
      const double x = plan.wheels[w].x, y = plan.wheels[w].y;
      const char* where = says("left") && !says("right") && y < -kAside  ? "right"
                          : says("right") && !says("left") && y > kAside ? "left"
                                                                         : nullptr;
      if (where) warn("the wheel '{}' is on the {} of the chassis (y {:g} m)", name, where, y);
      const char* end = says("front") && !says("rear") && x < -kAside  ? "rear"
                        : says("rear") && !says("front") && x > kAside ? "front"
                                                                       : nullptr;
      if (end) warn("the wheel '{}' is at the {} of the chassis (x {:g} m)", name, end, x);
    }
  }

  /// Wheels that look like others than they roll.
  void look_at_shapes() {
    constexpr double kOther = 1.35;  // grousers and covers are within
    std::vector<std::string> names;
    double radius = 0, shown = 0;
    for (const Wheel& wheel : rover_.wheels) {
      double largest = 0;  // of the shapes about as wide as the wheel: others are axles and hubs
      for (const Visual& visual : world_.visuals) {
        const auto* cylinder = std::get_if<CylinderShape>(&visual.shape);
        if (visual.body != wheel.body || cylinder == nullptr) continue;
        if (cylinder->length * kOther >= wheel.width) largest = std::max(largest, cylinder->radius);
      }
      const double ratio = largest / wheel.radius;
      if (largest == 0 || (ratio < kOther && ratio > 1 / kOther)) continue;
      names.push_back(wheel.name);
      radius = wheel.radius;
      shown = largest;
    }
    if (names.empty()) return;
    warn("wheels have a radius of {:g} m, but a shape of {:g} m: {}", radius, shown, listed(names));
  }

  void look_at_heights() {
    const Rect domain = world_.ground->map.domain();
    double lowest = std::numeric_limits<double>::infinity(), radius = 0, deepest = 0;
    std::vector<std::string> beyond, sunk;
    for (const Wheel& wheel : rover_.wheels) {
      const Vec3& hub = place(wheel.body);
      if (!domain.contains(hub.head<2>())) {
        beyond.push_back(wheel.name);
        continue;
      }
      const double gap = hub.z() - wheel.radius - world_.ground->map.height(hub.x(), hub.y());
      lowest = std::min(lowest, gap);
      radius = std::max(radius, wheel.radius);
      if (gap >= -kSunk * wheel.radius) continue;
      sunk.push_back(wheel.name);
      deepest = std::max(deepest, -gap);
    }
    if (!beyond.empty()) warn("begins with wheels beyond the map: {}", listed(beyond));
    if (!sunk.empty())
      warn("begins with wheels {:.3g} m deep in the ground: {}", deepest, listed(sunk));
    if (std::isfinite(lowest) && lowest > kHigh * radius) {
      warn(
          "begins {:.3g} m above the ground, and falls; 'on_ground: true' counts its height from "
          "there",
          lowest);
    }
  }

  void look_at_gravity() {
    const Vec3& g = world_.model.gravity();
    if (g.norm() == 0) {
      warn("there is no gravity: nothing presses its wheels on the ground");
      return;
    }
    const double tilt = std::acos(std::clamp(-g.z() / g.norm(), -1.0, 1.0));
    if (tilt > 60 * kDegree) {
      warn("gravity points {:.0f}° away from down: nothing presses its wheels on the ground",
           tilt * kDegPerRad);
    }
  }

  /// Whether the line of gravity through the centre of mass passes between the wheels.
  void look_at_balance() {
    const Vec3& g = world_.model.gravity();
    if (rover_.wheels.size() < 3 || !(g.z() < 0)) return;
    const int tree = world_.model.joints()[at(rover_.chassis)].tree;
    double mass = 0;
    Vec3 moment = Vec3::Zero(), middle = Vec3::Zero();
    for (int body = world_.model.tree_begin(tree); body < world_.model.tree_begin(tree + 1);
         ++body) {
      const RigidInertia& inertia = world_.model.bodies()[at(body)].inertia;
      mass += inertia.mass;
      moment += inertia.mass * (kinematics_.X_WB[at(body)] * inertia.com);
    }
    std::vector<Vec2> hubs;
    for (const Wheel& wheel : rover_.wheels) {
      hubs.push_back(place(wheel.body).head<2>());
      middle += place(wheel.body) / static_cast<double>(rover_.wheels.size());
    }
    if (!(mass > 0)) return;
    const Vec3 com = moment / mass;
    const double drop = std::max(0.0, com.z() - middle.z());
    const Vec3 foot = com + drop / -g.z() * g;
    std::ranges::sort(hubs, {}, [&](const Vec2& hub) {
      return std::atan2(hub.y() - middle.y(), hub.x() - middle.x());
    });
    if (!polygon_defect(hubs).empty() || polygon_contains(hubs, foot.head<2>())) return;
    const Mat3& R = kinematics_.X_WB[at(rover_.chassis)].R;
    const Vec3 off = R.transpose() * (foot - middle);
    warn(
        "its centre of mass lies beside its wheels ({:.2g} m forward and {:.2g} m left of their "
        "middle): it tips over",
        off.x(), off.y());
  }

  /// Whether anything it does could move it.
  void look_at_base() {
    for (int body = rover_.chassis; body != kWorld; body = world_.model.joints()[at(body)].parent) {
      if (world_.model.joints()[at(body)].nv > 0) return;
    }
    warn("it cannot move: its base is fixed to the world");
  }

  static constexpr double kAside = 0.01;  // [m]
  static constexpr double kSunk = 0.5;    // of a radius: deeper than soil gives way at the start
  static constexpr double kHigh = 0.5;    // of a radius

  const World& world_;
  const Kinematics& kinematics_;
  const Rover& rover_;
  std::vector<std::string>& warnings_;
};

/// Of the farthest wheel from the chassis, from above [m].
double half_length(const Kinematics& kinematics, const Rover& rover) {
  double farthest = 0;
  for (const Wheel& wheel : rover.wheels) {
    farthest =
        std::max(farthest,
                 (kinematics.X_WB[at(wheel.body)].p - kinematics.X_WB[at(rover.chassis)].p).norm());
  }
  return farthest;
}

void warn_of_rovers_in_each_other(const World& world, const Kinematics& kinematics,
                                  std::vector<std::string>& warnings) {
  for (std::size_t a = 0; a < world.rovers.size(); ++a) {
    for (std::size_t b = a + 1; b < world.rovers.size(); ++b) {
      const Rover &first = world.rovers[a], &second = world.rovers[b];
      const double distance =
          (kinematics.X_WB[at(first.chassis)].p - kinematics.X_WB[at(second.chassis)].p).norm();
      const double size = std::max(half_length(kinematics, first), half_length(kinematics, second));
      if (distance >= size) continue;
      warnings.push_back(fmt::format(
          "{} and {} overlap: they begin {:.2g} m from each other, and their wheels reach {:.2g} m",
          first.name, second.name, distance, size));
    }
  }
}

/// Of the tree of a body; 0 if it is the world [N].
double weight_of(const World& world, int body) {
  if (body == kWorld) return 0;
  const int tree = world.model.joints()[at(body)].tree;
  double mass = 0;
  for (int b = world.model.tree_begin(tree); b < world.model.tree_begin(tree + 1); ++b) {
    mass += world.model.bodies()[at(b)].inertia.mass;
  }
  return mass * world.model.gravity().norm();
}

Kinematics start_kinematics(const World& world) {
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  return kinematics;
}

}  // namespace

std::vector<std::string> rover_warnings(const World& world) {
  std::vector<std::string> warnings;
  if (world.rovers.empty()) return warnings;
  const Kinematics kinematics = start_kinematics(world);
  for (const Rover& rover : world.rovers) RoverStart(world, kinematics, rover, warnings).look();
  warn_of_rovers_in_each_other(world, kinematics, warnings);
  return warnings;
}

std::vector<std::string> pull_warnings(const World& world) {
  constexpr double kMost = 10;  // times the weight
  std::vector<std::string> warnings;
  const Model& model = world.model;
  if (model.tethers().empty() && model.springs().empty()) return warnings;
  const Kinematics kinematics = start_kinematics(world);
  const auto judge = [&](const char* what, const auto& element, double force, double distance,
                         double length) {
    const double weight =
        std::max(weight_of(world, element.a.body), weight_of(world, element.b.body));
    if (weight <= 0 || std::abs(force) <= kMost * weight) return;
    warnings.push_back(
        fmt::format("the {} '{}' begins with {:.3g} N, {:.0f} times the weight that it holds: its "
                    "ends are {:.3g} m "
                    "apart, its unloaded length is {:.3g} m",
                    what, element.name, force, std::abs(force) / weight, distance, length));
  };
  for (const Tether& tether : model.tethers()) {
    const LineOfAction line = line_between(model, kinematics, tether.a, tether.b);
    judge("tether", tether, tether_tension(tether, line, 0), line.length, tether.length);
  }
  for (const SpringDamper& spring : model.springs()) {
    const LineOfAction line = line_between(model, kinematics, spring.a, spring.b);
    judge("spring", spring, spring_force(spring, line), line.length, spring.rest_length);
  }
  return warnings;
}

}  // namespace grouser::internal
