#include "rigs/rig_ground.h"

#include "terrain/flat_field.h"

namespace grouser::internal {

std::shared_ptr<const Ground> make_ground(const RigGround& rig) {
  validate(rig.soil, "soil");
  // The grid begins at the corner of the ground: that goes to where a node shall be.
  const Vec2 nodes = ((rig.area.lower - rig.offset) / rig.spacing).array().floor();
  const Rect domain{rig.offset + rig.spacing * nodes, rig.area.upper};
  ElevationMap map(std::make_shared<FlatField>(FlatOptions{.domain = domain}),
                   {.spacing = rig.spacing});
  return std::make_shared<const Ground>(
      Ground{.map = std::move(map), .soils = SoilMap(rig.soil), .rocks = {}});
}

std::shared_ptr<const ScmBody> soil_body(const TriMesh& mesh, const ScmOptions& options,
                                         double spacing) {
  return std::make_shared<const ScmBody>(mesh, longest_edge(options, spacing));
}

}  // namespace grouser::internal
