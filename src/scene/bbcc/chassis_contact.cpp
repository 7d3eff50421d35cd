// Rovers feel the ground with all of their bodies, whether a scene's contacts name them or not.
#include <fmt/format.h>

#include <algorithm>

#include "contact/bbcc/chassis_system.h"
#include "core/index.h"
#include "geometry/primitives.h"
#include "multibody/kinematics.h"
#include "scene/bbcc/bbcc_scene.h"
#include "sim/rover_bodies.h"

namespace grouser::internal {
namespace {

/// Soil and rock alike, as a safety net: soft enough for the steps that wheels are driven with.
constexpr Material kChassisMaterial{.young = 1e6, .restitution = 0, .friction = 0.6};
constexpr int kChassisGroup = 0, kGroundGroup = 1;

class ChassisBuilder {
 public:
  explicit ChassisBuilder(World& world) : world_(world), kinematics_(world.model) {
    forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics_);
  }

  void add(const Rover& rover) {
    for (const int body : chassis_bodies(world_.model, rover)) {
      if (!moves(body) || touches(body)) continue;
      std::vector<ContactPart> parts = parts_of(body);
      if (parts.empty()) continue;
      std::vector<Vec3> points = outline(parts);
      const double depth = depth_of(points, kinematics_.X_WB[at(body)]);
      if (depth > kTouching) {
        world_.warnings.push_back(fmt::format(
            "{} begins {:.2g} m deep in the ground: it does not feel it, so as not to be thrown "
            "out; place the rover higher, or give that body another shape",
            name_of(body), depth));
      }
      if (depth > kTouching || !rover.chassis_contact) {
        world_.outlines.push_back({body, std::move(points)});
        continue;
      }
      elements_.push_back({.name = name_of(body),
                           .body = body,
                           .parts = std::move(parts),
                           .material = kChassisMaterial,
                           .group = kChassisGroup});
    }
  }

  void finish(bool is_rigid) {
    if (elements_.empty()) return;
    add_fixed();
    std::vector<TerrainElement> terrains{{.name = "terrain",
                                          .map = map_of(world_.ground),
                                          .material = kChassisMaterial,
                                          .group = kGroundGroup}};
    auto scene = std::make_shared<const BbccScene>(std::move(elements_), std::move(terrains));
    world_.contacts.push_back(std::make_shared<const ChassisSystem>(std::move(scene), is_rigid));
  }

 private:
  static constexpr double kTouching = 1e-3;  // [m]

  const std::string& name_of(int body) const { return world_.model.bodies()[at(body)].name; }

  bool moves(int body) const {
    for (; body != kWorld; body = world_.model.joints()[at(body)].parent) {
      if (world_.model.joints()[at(body)].nv > 0) return true;
    }
    return false;
  }

  /// By an entry of the scene: then what it says holds.
  bool touches(int body) const {
    return std::ranges::any_of(world_.contacts, [body](const auto& system) {
      const auto elements = system->elements();
      return std::ranges::find(elements, body, &ContactElementInfo::body) != elements.end();
    });
  }

  /// Hulls of meshes; one that cannot be read is left out, with a warning.
  std::vector<ContactPart> parts_of(int body) {
    std::vector<ContactPart> parts;
    for (const Visual& visual : world_.visuals) {
      if (visual.body != body) continue;
      try {
        parts.push_back(contact_part(visual.shape, visual.X_BS));
      } catch (const Error& error) {
        world_.warnings.push_back(fmt::format(
            "{} does not feel the ground with one of its shapes: {}", name_of(body), error.what()));
      }
    }
    return parts;
  }

  /// What lies farthest in 26 directions: corners, edges and faces of a box.
  static std::vector<Vec3> outline(const std::vector<ContactPart>& parts) {
    std::vector<Vec3> points;
    for (const ContactPart& part : parts) {
      for (int k = 0; k < 27; ++k) {
        const Vec3 direction(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        if (direction.isZero()) continue;
        points.push_back(part.X_EC * farthest(part.shape, direction));
      }
    }
    return points;
  }

  static Vec3 farthest(const Convex& convex, const Vec3& direction) {
    return std::visit(
        [&](const auto& shape) -> Vec3 {
          using Solid = std::decay_t<decltype(shape)>;
          if constexpr (std::is_same_v<Solid, BoxShape>) {
            return 0.5 * direction.cwiseProduct(shape.size);
          } else if constexpr (std::is_same_v<Solid, std::shared_ptr<const HullSolid>>) {
            return shape->support(direction);
          } else {
            return support(shape, direction);
          }
        },
        convex);
  }

  double depth_of(const std::vector<Vec3>& points, const Pose& X_WB) const {
    double deepest = 0;
    for (const Vec3& point : points) {
      const Vec3 p = X_WB * point;
      deepest = std::max(deepest, world_.ground->map.height(p.x(), p.y()) - p.z());
    }
    return deepest;
  }

  /// Rocks and whatever else of bbcc cannot move.
  void add_fixed() {
    const auto* bbcc = find_contacts<BbccSystem>(world_);
    if (bbcc == nullptr) return;
    for (ContactElement element : bbcc->scene().elements()) {
      if (element.body != ContactElement::kFixed) continue;
      element.group = kGroundGroup;
      elements_.push_back(std::move(element));
    }
  }

  World& world_;
  Kinematics kinematics_;
  std::vector<ContactElement> elements_;
};

bool has_wheel_on_ground(const World& world, const Rover& rover) {
  return std::ranges::any_of(rover.wheels, [&](const Wheel& wheel) {
    return ground_of_body(world, wheel.body) != GroundContact::none;
  });
}

}  // namespace

void BbccSceneContacts::complete(World& world) const {
  if (!world.ground) return;
  ChassisBuilder builder(world);
  for (const Rover& rover : world.rovers) {
    if (has_wheel_on_ground(world, rover)) builder.add(rover);
  }
  builder.finish(is_time_stepping(world.settings.integrator.method));
}

}  // namespace grouser::internal
