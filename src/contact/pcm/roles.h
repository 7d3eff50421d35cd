#pragma once

#include <memory>
#include <string>

#include "contact/pcm/detection.h"

namespace grouser::internal {

/// What a mesh is asked to be in its contacts.
enum class ContactRole { any, base, target };
inline constexpr std::array<const char*, 3> kContactRoleNames = {"any", "base", "target"};

/// Which frame to detect in: that of the mesh called E in the paper. By itself the target's. Differs: the paper
/// advises that of the mesh with more triangles, so that fewer are moved; here only lines near the target
/// are moved, eight at once, which is cheaper than moving triangles whichever mesh is the larger.
enum class FrameChoice { automatic, base, target };
inline constexpr std::array<const char*, 3> kFrameChoiceNames = {"automatic", "base", "target"};

/// How the roles in a pair of meshes were decided.
struct Roles {
  bool first_is_base = true;
  std::string reason;  ///< "the base is finer: ..."
};

/// What of a mesh decides its role.
struct MeshGrain {
  std::size_t triangles = 0;
  double size = 0;  ///< edge of a triangle of mean area [m]
  /// Edges bent outward by 90° or more: a target with such makes penetrations jump.
  std::size_t sharp_edges = 0;
};

MeshGrain grain_of(const TriMesh& mesh);

/// Which of two meshes becomes the base, if both may be: one with sharp edges, else the finer one, whose
/// triangles resolve the patch better.
Roles choose_roles(const MeshGrain& first, const MeshGrain& second);

}  // namespace grouser::internal
