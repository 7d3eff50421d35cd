#include "scene/element_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// Resolves names in one scope; remembers whether all of them were known.
class Resolver {
 public:
  Resolver(const std::string& scope, const Assembly& assembly)
      : scope_(scope), assembly_(assembly) {}

  BodyPoint point(const PointData& data) {
    const auto body = assembly_.resolve_body(data.body, scope_);
    good = good && body;
    return {body.value_or(kWorld), data.p_B};
  }
  Coordinate coordinate(const PlacedName& joint) {
    const auto found =
        joint.text.empty() ? std::nullopt : assembly_.resolve_coordinate(joint, scope_);
    good = good && found;
    return found.value_or(Coordinate{});
  }

  bool good = true;

 private:
  const std::string& scope_;
  const Assembly& assembly_;
};

struct LoopLaw {
  Resolver& resolver;
  using Law = decltype(Loop::law);

  Law operator()(const BallData& ball) const {
    return BallLoop{resolver.point(ball.a), resolver.point(ball.b)};
  }
  Law operator()(const HingeData& hinge) const {
    return HingeLoop{resolver.point(hinge.a), resolver.point(hinge.b), hinge.axis_a, hinge.axis_b};
  }
  Law operator()(const DistanceData& distance) const {
    return DistanceLoop{resolver.point(distance.a), resolver.point(distance.b), distance.length};
  }
  Law operator()(const CouplingData& coupling) const {
    CouplingLoop loop;
    for (const CouplingData::Term& term : coupling.terms) {
      loop.terms.push_back({resolver.coordinate(term.joint).dof, term.factor});
    }
    loop.offset = coupling.offset;
    return loop;
  }
};

void add_loop(const LoopData& data, const std::string& scope, Assembly& assembly) {
  Resolver resolver(scope, assembly);
  Loop loop{assembly.loops.add(scope, data.name, assembly.issues),
            std::visit(LoopLaw{resolver}, data.law)};
  assembly.places.emplace(fmt::format("loop '{}'", loop.name), data.name.place);
  assembly.spec.loops.push_back(std::move(loop));
}

void add_actuator(const ActuatorData& data, const std::string& scope, Assembly& assembly) {
  Resolver resolver(scope, assembly);
  const Coordinate coordinate = resolver.coordinate(data.joint);
  PlacedName name = data.name;
  if (name.text.empty()) name.text = data.joint.text;
  Actuator actuator{.name = assembly.actuators.add(scope, name, assembly.issues),
                    .type = data.type,
                    .dof = resolver.good ? coordinate.dof : -1,
                    .kp = data.kp,
                    .kd = data.kd};
  if (const auto limit = data.max_effort ? data.max_effort : coordinate.effort_limit) {
    actuator.max_effort = *limit;
  }
  const auto other = std::ranges::find(assembly.spec.actuators, actuator.dof, &Actuator::dof);
  if (resolver.good && other != assembly.spec.actuators.end()) {
    assembly.issues.add(issue_at(
        data.name.place, fmt::format("the joint already has the actuator '{}'", other->name),
        data.joint.text));
  }
  assembly.places.emplace(fmt::format("actuator '{}'", actuator.name), data.name.place);
  assembly.spec.actuators.push_back(std::move(actuator));
}

void add_spring(const SpringData& data, const std::string& scope, Assembly& assembly) {
  Resolver resolver(scope, assembly);
  SpringDamper spring{.name = assembly.springs.add(scope, data.name, assembly.issues),
                      .a = resolver.point(data.a),
                      .b = resolver.point(data.b),
                      .stiffness = data.stiffness,
                      .damping = data.damping,
                      .rest_length = data.rest_length};
  assembly.places.emplace(fmt::format("spring '{}'", spring.name), data.name.place);
  assembly.spec.springs.push_back(std::move(spring));
}

void add_tether(const TetherData& data, const std::string& scope, Assembly& assembly) {
  Resolver resolver(scope, assembly);
  Tether tether = data.law;
  tether.name = assembly.tethers.add(scope, data.name, assembly.issues);
  tether.a = resolver.point(data.a);
  tether.b = resolver.point(data.b);
  assembly.places.emplace(fmt::format("tether '{}'", tether.name), data.name.place);
  assembly.spec.tethers.push_back(std::move(tether));
}

/// Index of the body whose joint owns the coordinate, by way of its name.
bool carries(const Assembly& assembly, const PlacedName& joint, const std::string& scope, int body,
             bool directly) {
  const auto carried = assembly.joints.find(joint.text, scope);
  if (!carried) return true;  // was reported already
  for (int at = body; at != kWorld;
       at = assembly.spec.bodies[static_cast<std::size_t>(at)].parent) {
    if (at == *carried) return true;
    if (directly) return false;
  }
  return false;
}

/// Reports a wheel whose joints do not turn the way a wheel of this chassis rolls and steers.
void check_axes(const WheelData& data, const Wheel& wheel, int chassis, Assembly& assembly) {
  constexpr double kLeast = 0.5;  // 60 degrees leave room for camber
  if (std::abs(assembly.axis_along(wheel.drive_dof, chassis, Vec3::UnitY())) < kLeast) {
    assembly.issues.add(issue_at(
        data.drive.place, "a wheel must roll about the y axis of the chassis", data.drive.text));
  }
  if (wheel.steer_dof >= 0 &&
      std::abs(assembly.axis_along(wheel.steer_dof, chassis, Vec3::UnitZ())) < kLeast) {
    assembly.issues.add(issue_at(
        data.steer->place, "a wheel must steer about the z axis of the chassis", data.steer->text));
  }
}

/// Reports a wheel that would wobble: its centre far beside the axis it turns about.
void check_centre(const WheelData& data, const Wheel& wheel, Assembly& assembly) {
  constexpr double kLargest = 0.1;  // of the radius
  const Vec3 axle = wheel_frame(assembly, wheel).R.col(1);
  const double beside = wheel.p_B.cross(axle).norm();
  if (beside <= kLargest * wheel.radius) return;
  assembly.issues.add(issue_at(data.body.place,
                               "the wheel's 'position' must lie on the axis of its drive",
                               fmt::format("{:.3g} m beside it", beside),
                               fmt::format("<= {:.3g} [m]", kLargest * wheel.radius)));
}

std::optional<Wheel> make_wheel(const WheelData& data, const std::string& scope,
                                Assembly& assembly) {
  Resolver resolver(scope, assembly);
  const int body = resolver.point({data.body, {}}).body;
  Wheel wheel{.name = fmt::format("{}/{}", scope, data.name.text),
              .body = body,
              .p_B = data.p_B,
              .drive_dof = resolver.coordinate(data.drive).dof,
              .radius = data.radius,
              .width = data.width};
  if (data.steer) wheel.steer_dof = resolver.coordinate(*data.steer).dof;
  if (!resolver.good) return std::nullopt;
  const auto turns = [&](int dof) {
    const int carried = assembly.coordinates[static_cast<std::size_t>(dof)].body;
    const BodySpec& spec = assembly.spec.bodies[static_cast<std::size_t>(carried)];
    return spec.joint.type == JointType::revolute;
  };
  const auto refuse = [&](const PlacedName& name, std::string why) {
    assembly.issues.add(issue_at(name.place, std::move(why), name.text));
  };
  if (body == kWorld) refuse(data.body, "a wheel cannot be the world");
  if (!turns(wheel.drive_dof)) refuse(data.drive, "a wheel needs a revolute joint");
  if (data.steer && !turns(wheel.steer_dof)) refuse(*data.steer, "must be a revolute joint");
  if (!carries(assembly, data.drive, scope, body, true)) {
    refuse(data.drive, fmt::format("the joint does not carry the wheel '{}'", data.body.text));
  }
  if (data.steer && !carries(assembly, *data.steer, scope, body, false)) {
    refuse(*data.steer, fmt::format("the joint does not carry the wheel '{}'", data.body.text));
  }
  return wheel;
}

}  // namespace

void add_elements(const ElementsData& elements, const std::string& scope, Assembly& assembly) {
  for (const LoopData& loop : elements.loops) add_loop(loop, scope, assembly);
  for (const ActuatorData& actuator : elements.actuators) add_actuator(actuator, scope, assembly);
  for (const SpringData& spring : elements.springs) add_spring(spring, scope, assembly);
  for (const TetherData& tether : elements.tethers) add_tether(tether, scope, assembly);
}

std::optional<Rover> make_rover(const ModelData& model, Assembly& assembly) {
  const RoverData& data = model.tree.rover;
  if (!data.chassis) return std::nullopt;
  const std::string& scope = model.name.text;
  Rover rover;
  rover.name = scope;
  const auto chassis = assembly.bodies.resolve(*data.chassis, scope, assembly.issues);
  rover.chassis = chassis.value_or(0);
  NameTable names("wheel");
  for (const WheelData& wheel_data : data.wheels) {
    names.add(scope, wheel_data.name, assembly.issues);
    if (auto wheel = make_wheel(wheel_data, scope, assembly)) {
      if (chassis) check_axes(wheel_data, *wheel, *chassis, assembly);
      check_centre(wheel_data, *wheel, assembly);
      rover.wheels.push_back(*std::move(wheel));
    }
  }
  return rover;
}

}  // namespace grouser::internal
