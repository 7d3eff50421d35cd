#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "geometry/shape.h"
#include "multibody/elements.h"
#include "multibody/joint.h"
#include "scene/place.h"

/// A tree of bodies as its file describes it: plain data, names instead of indices, and the place
/// of everything that may turn out wrong later.
namespace grouser::internal {

/// The name that stands for the inertial frame wherever a body is asked for.
inline constexpr const char* kWorldName = "world";

struct VisualData {
  Pose X_BS;  ///< shape in its body
  Shape shape;
  Vec3 color = Vec3(0.7, 0.7, 0.7);  ///< red, green, blue in [0, 1]
};

struct JointData {
  PlacedName name;    ///< empty text: called after its body
  PlacedName parent;  ///< a body, or kWorldName
  JointType type = JointType::fixed;
  Pose X_PF;
  Vec3 axis = Vec3::UnitZ();
  Vec3 axis2 = Vec3::UnitY();
  std::vector<DofLaw> laws;            ///< one per degree of freedom
  std::optional<double> effort_limit;  ///< default of its actuator's max_effort [N m] or [N]
};

struct BodyData {
  PlacedName name;
  RigidInertia inertia;
  std::vector<VisualData> visuals;
  std::vector<VisualData>
      collisions;                  ///< of a URDF, as far as they are there; its visuals, too, then
  std::vector<VisualData> looks;   ///< drawn in place of the visuals; empty: those are drawn
  std::optional<JointData> joint;  ///< none: the root, hung on the world as the scene says
};

/// A point of a body.
struct PointData {
  PlacedName body;
  Vec3 p_B = Vec3::Zero();  ///< [m]
};

struct BallData {
  PointData a, b;
};
struct HingeData {
  PointData a, b;
  Vec3 axis_a = Vec3::UnitZ(), axis_b = Vec3::UnitZ();
};
struct DistanceData {
  PointData a, b;
  double length = 1;  ///< [m]
};
struct CouplingData {
  struct Term {
    PlacedName joint;
    double factor = 1;
  };
  std::vector<Term> terms;
  double offset = 0;  ///< [rad] or [m]
};

struct LoopData {
  PlacedName name;
  std::variant<BallData, HingeData, DistanceData, CouplingData> law;
};

struct ActuatorData {
  PlacedName name;  ///< empty text: called after its joint
  PlacedName joint;
  ActuatorType type = ActuatorType::torque;
  double kp = 0;                     ///< [N m/rad] or [N/m]
  double kd = 0;                     ///< [N m s/rad] or [N s/m]
  std::optional<double> max_effort;  ///< [N m] or [N]
};

struct SpringData {
  PlacedName name;
  PointData a, b;
  double stiffness = 0;    ///< [N/m]
  double damping = 0;      ///< [N s/m]
  double rest_length = 0;  ///< [m]
};

struct TetherData {
  PlacedName name;
  PointData a, b;
  Tether law;  ///< its points and name are not used
};

/// Loops, actuators and force elements of a tree or of a scene.
struct ElementsData {
  std::vector<LoopData> loops;
  std::vector<ActuatorData> actuators;
  std::vector<SpringData> springs;
  std::vector<TetherData> tethers;
};

struct WheelData {
  PlacedName name;
  PlacedName body;
  PlacedName drive;                 ///< joint
  std::optional<PlacedName> steer;  ///< joint
  double radius = 1;                ///< [m]
  double width = 1;                 ///< [m]
  Vec3 p_B = Vec3::Zero();          ///< centre in the body [m]
};

/// What makes a tree a rover.
struct RoverData {
  std::optional<PlacedName> chassis;
  std::vector<WheelData> wheels;
};

struct TreeData {
  std::string description;
  std::vector<BodyData> bodies;  ///< in the order of the file
  std::vector<VisualData> world_visuals;
  ElementsData elements;
  RoverData rover;
  std::vector<Issue> warnings;  ///< what a user should know, but need not mend
};

}  // namespace grouser::internal
