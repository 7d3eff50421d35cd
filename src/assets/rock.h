#pragma once

#include <cstdint>
#include <string>

#include "assets/fields.h"
#include "core/error.h"
#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// A rock: a ball whose radius in every direction is changed by noise.
struct RockSpec {
  /// Mean full axes a, b, c along x, y, z [m]: those of the ellipsoid that has the rock's inertia at
  /// the same mass. The mean ratio of rocks is 2 : √2 : 1.
  Vec3 dimensions = {0.4, 0.28, 0.2};
  double shape_roughness = 0.08;    ///< RMS of lumps and hollows / radius [-]
  double surface_roughness = 0.01;  ///< RMS of the fine roughness / radius [-]
  int divisions = 10;               ///< the mesh has 20 divisions² triangles
  double density = 2700;            ///< [kg/m³]
  std::uint64_t seed = 1;
};

struct Rock {
  TriMesh mesh;          ///< closed; centre of mass at the origin, principal axes along x, y, z
  double volume = 0;     ///< of the mesh [m³]
  RigidInertia inertia;  ///< of the mesh, about its centre of mass
  double radius = 0;     ///< of the smallest ball around the origin that holds the mesh [m]
};

inline constexpr GeneratorInfo generator_of(const RockSpec&) { return {"rock", 1}; }

/// Throws Error(input) with every parameter that is out of range.
void validate(const RockSpec& spec, const std::string& place = {});

/// See asset_id.h.
std::uint64_t asset_id(const RockSpec& spec);

Rock make_rock(const RockSpec& spec);

void check_fit(const RockSpec& spec, const std::string& place, IssueList& issues);

template <class Visitor>
void visit_fields(RockSpec& spec, Visitor& visit) {
  visit(FieldInfo{"dimensions", "mean full axes a, b, c", "m"}.in(1e-4, 1e4), spec.dimensions);
  visit(FieldInfo{"shape_roughness", "lumps and hollows / radius, RMS"}.in(0, 0.5),
        spec.shape_roughness);
  visit(FieldInfo{"surface_roughness", "fine roughness / radius, RMS"}.in(0, 0.2),
        spec.surface_roughness);
  visit(FieldInfo{"divisions", "20 divisions² triangles"}.in(1, 500), spec.divisions);
  visit(FieldInfo{"density", "density", "kg/m³"}.above(0, 1e5), spec.density);
  visit(FieldInfo{"seed", "another number, another rock"}, spec.seed);
}

}  // namespace grouser::internal
