#pragma once

#include "assets/fields.h"
#include "scene/plane/plane_scene.h"
#include "scene/range.h"

/// The list of what a scene says about springy planes; see assets/fields.h.
namespace grouser::internal {

template <class Visitor>
void visit_fields(SpringyPlane& plane, Visitor& visit) {
  visit(FieldInfo{"point", "on the plane, in the world", "m"}.in(-1e5, 1e5).hinted(
            ranges::kMetresHint),
        plane.point);
  visit(FieldInfo{"normal", "out of the solid side; of any length"}.in(-1e6, 1e6), plane.normal);
  visit(FieldInfo{"stiffness", "of each point", "N/m"}.above(0, 1e12), plane.stiffness);
  visit(FieldInfo{"damping", "of each point", "N s/m"}.in(0, 1e12), plane.damping);
  visit(FieldInfo{"friction", "of sliding"}.in(0, 100), plane.friction);
  visit(FieldInfo{"creep_speed", "below which friction falls to zero linearly", "m/s"}.above(0, 10),
        plane.creep_speed);
}

/// What an entry says besides its subject and `points`.
template <class Visitor>
void visit_fields(PlaneEntry& entry, Visitor& visit) {
  if (entry.subject == ContactEntry::Subject::wheels) {
    visit(FieldInfo{"rim_points", "with `wheels`: points around the rim"}.in(3, 1000),
          entry.rim_points);
  }
  visit_fields(entry.plane, visit);
}

}  // namespace grouser::internal
