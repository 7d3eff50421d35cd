#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/name_table.h"
#include "scene/scene_data.h"

namespace grouser::internal {

/// One degree of freedom of a joint.
struct Coordinate {
  int body = 0;      ///< carried by the joint
  int dof = 0;       ///< velocity index
  int position = 0;  ///< position index, if the joint has plain coordinates
  bool is_angle = true;
  std::optional<double> effort_limit;  ///< of the joint [N m] or [N]
};

/// A world under construction: what the Model will be built from, with names and places at hand.
struct Assembly {
  explicit Assembly(IssueList& issue_list) : issues(issue_list) {}

  /// Adds the bodies and joints of a model, its initial position and velocity, and its visuals.
  void add_model(const ModelData& model);

  /// Body index, kWorld for "world"; nothing (reported) if there is none. `scope` as in NameTable.
  std::optional<int> resolve_body(const PlacedName& name, const std::string& scope) const;
  /// The coordinate of a joint: "hip", or for several "cardan.1", "cardan.2", "plane.x", "plane.y",
  /// "plane.angle".
  std::optional<Coordinate> resolve_coordinate(const PlacedName& name,
                                               const std::string& scope) const;
  /// Component of a revolute joint's axis along a direction of a body, at zero joint positions [-].
  double axis_along(int dof, int body, const Vec3& direction_B) const;
  /// The file and line of what a Model calls, e.g., "body 'rover/trunk'"; empty if unknown.
  Place place_of(const std::string& subject) const;

  IssueList& issues;
  ModelSpec spec;
  std::vector<double> q, v;             ///< initial values
  std::vector<char> q_given;            ///< per position: 1 where the scene gives the initial value
  std::vector<Coordinate> coordinates;  ///< per velocity index
  std::vector<Visual> visuals;  ///< shapes of bodies: what touches unless contacts say otherwise
  std::vector<Visual> looks;    ///< what is drawn
  NameTable bodies{"body"}, joints{"joint"}, actuators{"actuator"}, loops{"loop"},
      springs{"spring"}, tethers{"tether"};
  std::map<std::string, Place> places;  ///< by subject

 private:
  struct Slot {
    int q = 0, v = 0;  ///< first indices
  };
  void add_body(const ModelData& model, const BodyData& data, int parent);
  void start_joint(const JointStart& start, const std::string& scope);
  void start_position(const JointStart& start, int body);
  void start_velocity(const JointStart& start, int body);

  std::vector<Slot> slots_;  ///< per body
};

/// Where a body stands in W that cannot move; nothing if it can.
std::optional<Pose> fixed_pose(const Assembly& assembly, int body);

/// Frame of a wheel in its body: origin in its centre, y along its axle, the body's axes where that is
/// its y already.
Pose wheel_frame(const Assembly& assembly, const Wheel& wheel);

}  // namespace grouser::internal
