#pragma once

#include <string>

#include "scene/scene_data.h"

namespace grouser::internal {

/// What is kept of a scene's source.
struct SceneSource {
  std::string file;  ///< as the user gave it, or "builtin:NAME"
  std::string text;
};

/// Builds the world of a scene. Adds its findings to `issues` and throws all of them together as
/// Error(input) if there are any.
World build_world(const SceneData& scene, SceneSource source, IssueList& issues);

}  // namespace grouser::internal
