#pragma once

#include <string>

#include "scene/motor_proposal.h"

namespace grouser::internal {

enum class GroundKind {
  scm,    ///< soft soil that yields
  terra,  ///< the fast wheel model
  hard,   ///< bodies that do not give way
};

/// What the scene of a rover that was found shall be like.
struct RoverSceneOptions {
  std::string made_from;       ///< the robot's file, for the comment
  std::string urdf;            ///< as the scene names it
  std::string name = "rover";  ///< of scene and model
  GroundKind ground = GroundKind::scm;
  std::string gravity = "earth";  ///< name of a place
  std::string soil = "dry_sand";  ///< name of a preset
  double speed = 0.1;             ///< [m/s], > 0
};

/// What the program says about the scene besides its text.
struct RoverScene {
  std::string text;    ///< YAML with comments
  double step = 0;     ///< [s]
  double spacing = 0;  ///< of the terrain [m]
  double sinkage = 0;  ///< at which the wheels begin [m]
};

/// Spacing of the ground: a round number of at most a sixth of the narrowest wheel's width [m].
double fitting_spacing(const FoundRover& rover);

/// Depth to which Bekker's law lets a rigid wheel sink that stands [m].
double bekker_sinkage(const std::string& soil, double load, double radius, double width);

/// A text for a YAML file that is read back as the same text.
std::string yaml_text(const std::string& text);

/// A name that the format allows, made of any text.
std::string legal_name(const std::string& text);

/// The scene of a rover, ready to run: it stands on flat ground and drives ahead.
RoverScene write_rover_scene(const TreeSurvey& survey, const FoundRover& rover,
                             const std::vector<ProposedMotor>& motors,
                             const std::vector<ProposedSpring>& springs,
                             const RoverSceneOptions& options);

}  // namespace grouser::internal
