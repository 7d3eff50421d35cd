#pragma once

#include <string>

#include "scene/friction_fields.h"
#include "scene/pcm/pcm_scene.h"

/// The lists of what a scene says about pcm; see assets/fields.h.
namespace grouser::internal {

template <class Visitor>
void visit_fields(LayerMaterial& material, Visitor& visit) {
  visit(FieldInfo{"rigid", "the layer does not give way; not for both of a pair"}, material.rigid);
  visit(FieldInfo{"young", "Young's modulus", "Pa"}.above(0, 1e13).hinted(kModulusHint),
        material.young);
  visit(FieldInfo{"poisson", "Poisson's ratio"}.in(0, 0.45), material.poisson);
  visit(FieldInfo{"thickness", "of the layer; stiffness by area is about `young`/`thickness`", "m"}
            .above(0, 10)
            .hinted(ranges::kMetresHint),
        material.thickness);
  visit(FieldInfo{"damping", "by area", "N s/m³"}.in(0, 1e12), material.damping);
  visit_friction(material, visit);
}

inline void check_keys(const LayerMaterial& material, MapReader& map) {
  if (material.rigid) {
    for (const char* key : {"young", "poisson", "thickness"}) {
      map.refuse(key, "is not used: the layer is rigid");
    }
  }
  check_friction_keys(material, map);
}

/// What an entry says about meshes of bodies and wheels.
template <class Visitor>
void visit_fields(PcmEntry& entry, Visitor& visit) {
  visit(
      FieldInfo{"edge_length",
                "longer edges are cut in the middle until none is; if not given, meshes are taken "
                "as they are, and edges of other shapes are a sixteenth of their size",
                "m"}
          .above(0, 1000)
          .hinted(ranges::kMetresHint),
      entry.edge_length);
  visit(
      FieldInfo{"role",
                "`base`, `target`, or `any`: a mesh with sharp edges, else the finer one, becomes "
                "the base"},
      entry.role, kContactRoleNames);
  visit(
      FieldInfo{"max_penetration",
                "if it is a base: how deep contact is looked for; the run says how much of it was "
                "used",
                "m"}
          .above(0, 10)
          .hinted(ranges::kMetresHint),
      entry.max_penetration);
}

inline constexpr FieldInfo kPcmMaterial{"material", "the elastic layer around it"};

template <class Visitor>
void visit_fields(PcmOptions& options, Visitor& visit) {
  visit(
      FieldInfo{"detection",
                "`penetration`; or `intersection`, the classic way: the same forces, slower, clean "
                "meshes only, no terrain"},
      options.detection, kDetectionNames);
  visit(FieldInfo{"frame", "in whose frame contact is computed"}, options.frame, kFrameChoiceNames);
  visit(FieldInfo{"expansion",
                  "damping while bodies part: `clip`, without pulling; `none`; `full`, may pull"},
        options.damping.expansion, kExpansionNames);
  visit(
      FieldInfo{"fade_in", "depth over which damping fades in; 0: at once", "m"}.in(0, 1000).hinted(
          ranges::kMetresHint),
      options.damping.fade_in);
  visit(FieldInfo{"friction_rise", "how friction rises up to the dead band"}, options.rise,
        kFrictionRiseNames);
}

/// Nothing to fit.
inline void check_fit(const PcmOptions&, const std::string&, IssueList&) {}

}  // namespace grouser::internal
