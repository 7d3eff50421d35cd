#pragma once

#include <filesystem>
#include <string>

#include "assets/asset_cache.h"
#include "assets/rock_field.h"
#include "assets/surface.h"
#include "assets/wheel.h"

/// Assets as OBJ files. Each begins with its kind, its id and the text that the id is the hash of; nothing
/// in it changes from run to run.
namespace grouser::internal {

/// The file of a mesh that was made from the parameters in a canonical text (asset_id.h), whose hash is
/// the id.
std::string asset_obj(const TriMesh& mesh, const GeneratorInfo& generator,
                      const std::string& canonical);

std::string asset_obj(const WheelSpec& spec);
std::string asset_obj(const SurfaceSpec& spec);
std::string asset_obj(const RockSpec& spec);
std::string asset_obj(const RockFieldSpec& spec);  ///< all rocks in one mesh, on the plane z = 0

/// Rocks on a surface, all in one mesh without the surface.
std::string asset_obj(const RockFieldSpec& spec, const SurfaceSpec& ground);
std::uint64_t asset_id(const RockFieldSpec& spec, const SurfaceSpec& ground);

/// The file of an asset in the cache, made if need be.
template <class Spec>
std::filesystem::path ensure_asset(const AssetCache& cache, const Spec& spec) {
  return cache.ensure(generator_of(spec).kind, asset_id(spec), [&] { return asset_obj(spec); });
}
std::filesystem::path ensure_asset(const AssetCache& cache, const RockFieldSpec& spec,
                                   const SurfaceSpec& ground);

}  // namespace grouser::internal
