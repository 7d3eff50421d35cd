#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assets/craters.h"
#include "assets/fields.h"
#include "assets/noise.h"
#include "core/error.h"
#include "geometry/tri_mesh.h"
#include "terrain/dem_file.h"
#include "terrain/height_field.h"

namespace grouser::internal {

inline constexpr std::array<const char*, 3> kNoDataFillNames = {"refuse", "nearest", "smooth"};
inline constexpr std::array<const char*, 2> kInterpolationNames = {"bilinear", "bicubic"};

/// Scale of a plain image, which knows neither the width of its pixels nor heights.
struct ImageScaleSpec {
  double pixel = 0.01;  ///< width of a pixel [m]
  double black = 0;     ///< height of black [m]
  double white = 1;     ///< height of white [m]
};

/// A part of a height map, in metres from its lower left corner.
struct CropSpec {
  Vec2 lower = Vec2::Zero();  ///< [m]
  Vec2 size = Vec2::Ones();   ///< [m]
};

/// Heights from a file: GeoTIFF, ASC, PDS or, with `image`, PNG or JPEG.
struct HeightMapSpec {
  std::string file;
  std::optional<ImageScaleSpec> image;  ///< for plain images only
  std::optional<CropSpec> crop;         ///< none = all of it
  double resample = 0;                  ///< spacing wanted [m]; 0 = the file's own
  double height_scale = 1;              ///< factor on the heights [-]
  bool centre_height = false;           ///< moves the mean of lowest and highest point to z = 0
  NoDataFill no_data = NoDataFill::smooth;
  Interpolation interpolation = Interpolation::bicubic;
};

/// A profile drawn out at right angles to itself.
struct ProfileSpec {
  std::vector<Vec2> points;  ///< (distance, height) [m], distances rising; 0 is at the origin
  double direction_deg = 0;  ///< of growing distance, from x towards y [deg]
  bool smooth = false;       ///< monotone cubics instead of straight lines
};

/// A ground surface: the sum of what is given of height map, profile, noise and craters; a plane if nothing is.
struct SurfaceSpec {
  Vec2 size = {10, 10};   ///< along x and y, centred at the origin [m]; a height map has its own
  double spacing = 0.05;  ///< of the mesh's nodes [m]; the surface itself has no resolution
  std::optional<HeightMapSpec> height_map;
  std::optional<ProfileSpec> profile;
  std::optional<NoiseSpec> noise;
  std::vector<CraterSpec> craters;
  std::optional<RandomCratersSpec> random_craters;
};

inline constexpr GeneratorInfo generator_of(const SurfaceSpec&) { return {"surface", 2}; }

/// Throws Error(input) with every parameter that is out of range or does not fit the others.
void validate(const SurfaceSpec& spec, const std::string& place = {});

/// See asset_id.h. The height map counts by its content, not by its name.
std::uint64_t asset_id(const SurfaceSpec& spec);

/// The surface, known at every point. Its domain is the rectangle of `size`, or that of the height map
/// moved so that its centre is the origin. What was repaired in the height map is logged as a warning.
/// Throws as validate() and read_dem() do.
std::shared_ptr<const HeightField> make_surface(const SurfaceSpec& spec);

/// Nodes `spacing` apart that fill the domain of a surface, the outermost ones on its border: the
/// spacing is shrunk to fit x, and the last row may fall short of the border in y by less than it.
GridSpec surface_grid(const HeightField& surface, double spacing);

/// An open mesh of two triangles per cell. The diagonals alternate like the colours of a chessboard, so
/// that no direction is preferred.
TriMesh surface_mesh(const HeightField& surface, const GridSpec& grid);

void check_fit(const SurfaceSpec& spec, const std::string& place, IssueList& issues);

template <class Visitor>
void visit_fields(ImageScaleSpec& spec, Visitor& visit) {
  visit(FieldInfo{"pixel", "width of a pixel", "m"}.above(0, 1e5), spec.pixel);
  visit(FieldInfo{"black", "height of black", "m"}.in(-1e5, 1e5), spec.black);
  visit(FieldInfo{"white", "height of white", "m"}.in(-1e5, 1e5), spec.white);
}

template <class Visitor>
void visit_fields(CropSpec& spec, Visitor& visit) {
  visit(FieldInfo{"lower", "lower left corner: x, y", "m"}.in(0, 1e7), spec.lower);
  visit(FieldInfo{"size", "width and height", "m"}.above(0, 1e7), spec.size);
}

template <class Visitor>
void visit_fields(HeightMapSpec& spec, Visitor& visit) {
  FieldInfo file{"file", "GeoTIFF, ASC, PDS, or an image"};
  file.is_file = true;
  visit(file, spec.file);
  visit(FieldInfo{"image", "scale of a plain image; not for elevation models"}, spec.image);
  visit(FieldInfo{"crop", "the part to use"}, spec.crop);
  visit(FieldInfo{"resample", "spacing wanted; 0 = the file's own", "m"}.in(0, 1e5), spec.resample);
  visit(FieldInfo{"height_scale", "factor on the heights"}.in(-1e3, 1e3), spec.height_scale);
  visit(FieldInfo{"centre_height", "move the middle of the heights to z = 0"}, spec.centre_height);
  visit(FieldInfo{"no_data", "how holes are filled"}, spec.no_data, kNoDataFillNames);
  visit(FieldInfo{"interpolation", "between the nodes"}, spec.interpolation, kInterpolationNames);
}

template <class Visitor>
void visit_fields(ProfileSpec& spec, Visitor& visit) {
  visit(FieldInfo{"points", "distance and height of each corner", "m"}.in(-1e6, 1e6), spec.points);
  visit(FieldInfo{"direction_deg", "of growing distance, from x towards y", "deg"}.in(-360, 360),
        spec.direction_deg);
  visit(FieldInfo{"smooth", "curves instead of straight lines"}, spec.smooth);
}

template <class Visitor>
void visit_fields(SurfaceSpec& spec, Visitor& visit) {
  visit(FieldInfo{"size", "along x and y; a height map has its own", "m"}.in(1e-3, 1e6), spec.size);
  visit(FieldInfo{"spacing", "of the mesh's nodes", "m"}.in(1e-5, 1e5), spec.spacing);
  visit(FieldInfo{"height_map", "heights from a file"}, spec.height_map);
  visit(FieldInfo{"profile", "steps, ramps: heights along one direction"}, spec.profile);
  visit(FieldInfo{"noise", "random roughness"}, spec.noise);
  visit(FieldInfo{"craters", "craters at given places"}, spec.craters);
  visit(FieldInfo{"random_craters", "craters strewn by a law of sizes"}, spec.random_craters);
}

}  // namespace grouser::internal
