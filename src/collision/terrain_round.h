#pragma once

#include "collision/terrain_ground.h"

/// Where round shapes stand in the ground; see TerrainShape. `stations` >= 1: pieces into which the axis
/// is cut, with a sphere or circle at each end of them.
namespace grouser::internal::terrain_contact {

void find_sphere(const SphereShape& sphere, const Pose& X, const Ground& ground,
                 TerrainContact& contact);
void find_capsule(const CapsuleShape& capsule, int stations, const Pose& X, const Ground& ground,
                  TerrainContact& contact);
void find_cylinder(const CylinderShape& cylinder, int stations, const Pose& X, const Ground& ground,
                   TerrainContact& contact);

}  // namespace grouser::internal::terrain_contact
