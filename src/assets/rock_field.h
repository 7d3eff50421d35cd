#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "assets/fields.h"
#include "assets/rock.h"
#include "assets/rock_size.h"
#include "core/error.h"
#include "terrain/height_field.h"

namespace grouser::internal {

enum class RockAttitude {
  lying,   ///< shortest axis along the ground's normal, tilted at random up to `tilt_deg`
  random,  ///< every attitude as likely as any other
};
inline constexpr std::array<const char*, 2> kRockAttitudeNames = {"lying", "random"};

/// The different shapes that the rocks of a field have, at any size.
struct RockShapesSpec {
  int count = 12;
  Vec3 axis_ratio = {2, 1.41421356237, 1};  ///< a : b : c of the mean rock
  double axis_spread = 0.2;                 ///< each axis varies evenly by ± this part [-]
  double shape_roughness = 0.08;            ///< as in RockSpec
  double surface_roughness = 0.01;          ///< as in RockSpec
  int divisions = 5;                        ///< as in RockSpec
  double density = 2700;                    ///< [kg/m³]
};

/// Rocks strewn over a rectangle centred at the origin. The diameter of a rock is (a + b) / 2, the mean
/// of its two longer axes, which are the ones seen from above.
struct RockFieldSpec {
  Vec2 size = {10, 10};          ///< of the rectangle that holds the centres, along x and y [m]
  Vec2 position = Vec2::Zero();  ///< of its middle [m]
  RockSizeSpec sizes;
  RockShapesSpec shapes;
  double buried = 0.2;  ///< part of its height by which a rock sits in the ground [-]
  double gap = 0;       ///< least distance between the circles around two rocks [m]
  RockAttitude attitude = RockAttitude::lying;
  double tilt_deg = 10;    ///< largest tilt of a lying rock [deg]
  double loose_below = 0;  ///< rocks of smaller diameter lie loose on the ground, not buried [m]
  std::uint64_t seed = 1;
};

struct PlacedRock {
  double diameter = 0;  ///< [m]
  int shape = 0;        ///< index into RockField::shapes
  double scale = 1;     ///< of the shape [-]
  Pose pose;            ///< of the rock's frame (centre of mass, principal axes) in the world
  double radius = 0;    ///< of the ball around the rock's centre that holds it [m]
  double mass = 0;      ///< [kg]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of the rock's frame [kg m²]
  bool loose = false;
};

struct RockFieldReport {
  double expected = 0;    ///< number of rocks by the law
  std::size_t asked = 0;  ///< drawn from the law: Poisson distributed about `expected`
  std::size_t placed = 0;
  std::size_t refused = 0;  ///< found no room: the ground is too full
};

struct RockField {
  std::vector<PlacedRock> rocks;  ///< largest circle first
  std::vector<Rock> shapes;       ///< of diameter 1 m
  RockFieldReport report;
};

inline constexpr GeneratorInfo generator_of(const RockFieldSpec&) { return {"rocks", 1}; }

/// Throws Error(input) with every parameter that is out of range or does not fit the others.
void validate(const RockFieldSpec& spec, const std::string& place = {});

/// Throws Error(input) if the rectangle was moved so far that it reaches beyond a terrain.
void check_on_terrain(const RockFieldSpec& spec, const Rect& terrain);

/// See asset_id.h. Does not know the ground: for rocks on a surface, combine it with the surface's id.
std::uint64_t asset_id(const RockFieldSpec& spec);

/// Rocks on the plane z = 0, or on the given ground: the tangent plane below the centre cuts a rock at
/// its buried part. The circles of two rocks (`radius` around the centre) never overlap.
RockField make_rock_field(const RockFieldSpec& spec);
RockField make_rock_field(const RockFieldSpec& spec, const HeightField& ground);

/// Mesh of one rock in its own frame, at its size.
TriMesh rock_mesh(const RockField& field, const PlacedRock& rock);

/// All rocks where they lie, one closed piece each. Throws Error(input) beyond ten million triangles.
TriMesh merged_mesh(const RockField& field);

/// Writes one OBJ per rock, rock_00000.obj ..., each in its own frame, and then rocks.json: for each
/// rock its file, diameter [m], position [m], attitude as quaternion (w, x, y, z), mass [kg] and
/// inertia (xx, yy, zz, xy, xz, yz) [kg m²]. Makes the folder if need be. Throws Error(io).
void write_rock_files(const std::filesystem::path& folder, const RockField& field);

void check_fit(const RockFieldSpec& spec, const std::string& place, IssueList& issues);

template <class Visitor>
void visit_fields(RockShapesSpec& spec, Visitor& visit) {
  visit(FieldInfo{"count", "number of different shapes"}.in(1, 10000), spec.count);
  visit(FieldInfo{"axis_ratio", "a : b : c of the mean rock"}.in(0.01, 100), spec.axis_ratio);
  visit(FieldInfo{"axis_spread", "each axis varies by ± this part"}.in(0, 0.9), spec.axis_spread);
  visit(FieldInfo{"shape_roughness", "lumps and hollows / radius, RMS"}.in(0, 0.5),
        spec.shape_roughness);
  visit(FieldInfo{"surface_roughness", "fine roughness / radius, RMS"}.in(0, 0.2),
        spec.surface_roughness);
  visit(FieldInfo{"divisions", "20 divisions² triangles per rock"}.in(1, 500), spec.divisions);
  visit(FieldInfo{"density", "density", "kg/m³"}.above(0, 1e5), spec.density);
}

template <class Visitor>
void visit_fields(RockFieldSpec& spec, Visitor& visit) {
  visit(FieldInfo{"size", "along x and y", "m"}.in(1e-2, 1e6), spec.size);
  visit(FieldInfo{"position", "of its middle: x, y", "m"}.in(-1e6, 1e6), spec.position);
  visit(FieldInfo{"sizes", "how many rocks of which size"}, spec.sizes);
  visit(FieldInfo{"shapes", "what the rocks look like"}, spec.shapes);
  visit(FieldInfo{"buried", "part of the height in the ground"}.in(0, 0.95), spec.buried);
  visit(FieldInfo{"gap", "least distance between two rocks", "m"}.in(0, 1e3), spec.gap);
  visit(FieldInfo{"attitude", "how the rocks lie"}, spec.attitude, kRockAttitudeNames);
  visit(FieldInfo{"tilt_deg", "largest tilt of a lying rock", "deg"}.in(0, 180), spec.tilt_deg);
  visit(FieldInfo{"loose_below", "smaller ones lie loose, not buried", "m"}.in(0, 1e4),
        spec.loose_below);
  visit(FieldInfo{"seed", "another number, other rocks"}, spec.seed);
}

}  // namespace grouser::internal
