#include "assets/asset_file.h"

#include <fmt/format.h>

#include "assets/asset_id.h"
#include "core/hash.h"
#include "geometry/mesh_file.h"

namespace grouser::internal {
namespace {

std::string canonical_on(const RockFieldSpec& spec, const SurfaceSpec& ground) {
  return canonical_text(spec) + canonical_text(ground);
}

}  // namespace

std::string asset_obj(const TriMesh& mesh, const GeneratorInfo& generator,
                      const std::string& canonical) {
  const std::string header = fmt::format("grouser asset {}_{}\n{}", generator.kind,
                                         hash_text(text_hash(canonical)), canonical);
  return obj_text(mesh, header);
}

std::string asset_obj(const WheelSpec& spec) {
  return asset_obj(make_wheel(spec), generator_of(spec), canonical_text(spec));
}

std::string asset_obj(const SurfaceSpec& spec) {
  const std::shared_ptr<const HeightField> surface = make_surface(spec);
  const TriMesh mesh = surface_mesh(*surface, surface_grid(*surface, spec.spacing));
  return asset_obj(mesh, generator_of(spec), canonical_text(spec));
}

std::string asset_obj(const RockSpec& spec) {
  return asset_obj(make_rock(spec).mesh, generator_of(spec), canonical_text(spec));
}

std::string asset_obj(const RockFieldSpec& spec) {
  return asset_obj(merged_mesh(make_rock_field(spec)), generator_of(spec), canonical_text(spec));
}

std::string asset_obj(const RockFieldSpec& spec, const SurfaceSpec& ground) {
  const std::shared_ptr<const HeightField> surface = make_surface(ground);
  return asset_obj(merged_mesh(make_rock_field(spec, *surface)), generator_of(spec),
                   canonical_on(spec, ground));
}

std::uint64_t asset_id(const RockFieldSpec& spec, const SurfaceSpec& ground) {
  return text_hash(canonical_on(spec, ground));
}

std::filesystem::path ensure_asset(const AssetCache& cache, const RockFieldSpec& spec,
                                   const SurfaceSpec& ground) {
  return cache.ensure(generator_of(spec).kind, asset_id(spec, ground),
                      [&] { return asset_obj(spec, ground); });
}

}  // namespace grouser::internal
