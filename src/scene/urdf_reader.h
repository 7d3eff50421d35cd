#pragma once

#include <filesystem>
#include <string>

#include "scene/tree_data.h"

namespace grouser::internal {

/// Reads a URDF. A root link called "world" is the inertial frame itself. `file` is the name for
/// messages, `folder` where mesh files are looked for.
///
/// Not taken from a URDF: collision shapes, the velocity limit of joints (the effort limit becomes
/// the default of an actuator's), calibration, safety controllers, transmissions.
TreeData read_urdf(const std::string& text, const std::string& file,
                   const std::filesystem::path& folder, IssueList& issues);

/// The file a URDF's mesh name stands for: "package://NAME/PATH", "model://NAME/PATH",
/// "file:///PATH" or a path, looked for in `folder` and the folders above it; empty if there is none.
std::string find_mesh(const std::string& name, const std::filesystem::path& folder);

}  // namespace grouser::internal
