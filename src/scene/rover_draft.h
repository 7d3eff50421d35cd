#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/rover_scene.h"
#include "scene/xacro.h"

namespace grouser::internal {

struct RoverDraftOptions {
  XacroArguments arguments;  ///< of a xacro file
  bool fix = false;          ///< mends inertias that no body has
  GroundKind ground = GroundKind::scm;
  std::string gravity = "earth";  ///< name of a place
  std::string soil = "dry_sand";  ///< name of a preset
  std::optional<double> speed;    ///< [m/s], > 0; else one that fits the wheels
  std::string name;               ///< of the model; empty: that of the robot
  std::filesystem::path
      scene;  ///< where the scene will stand; files are named relative to its folder
};

struct DraftedWheel {
  std::string link, drive, steer;  ///< steer: empty if it is not steered
  double radius = 0, width = 0;    ///< [m]
  Vec3 centre = Vec3::Zero();      ///< from the root, at zero joint positions [m]
  double offset = 0;               ///< of its centre from the link's origin [m]
  bool driven = true;
};

/// A robot's file made a scene, with all that was found on the way.
struct RoverDraft {
  RoverScene scene;
  std::optional<std::string>
      urdf;  ///< of a file to write beside the scene, if it does not name the robot's own
  std::filesystem::path urdf_file;  ///< which the scene names
  std::string robot;                ///< its name in the file
  std::string chassis;
  double mass = 0;   ///< [kg]
  double speed = 0;  ///< [m/s]
  std::vector<DraftedWheel> wheels;
  std::vector<ProposedMotor> motors;
  std::vector<std::string> free_joints, held_joints;
  std::vector<std::string> supports;  ///< links that slide on the ground beside the wheels
  std::vector<std::string> notes;     ///< what was assumed
  std::vector<std::string> changes;   ///< of inertias
  std::vector<Issue> warnings;
};

/// Reads a URDF or xacro, recognises the rover in it and writes a scene in which it drives. Throws
/// Error(input), with file and line, if the file is wrong, has inertias that no body has (unless
/// `fix`), or no wheels.
RoverDraft draft_rover(const std::filesystem::path& file, const RoverDraftOptions& options);

}  // namespace grouser::internal
