#pragma once

#include "contact/scm/options.h"
#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// A wheel, its axle along y, as soft soil meets it. Soil between grousers goes with the wheel: it is sheared along
/// their tips, and bears there. So a wheel with hollows in its tread acts as its convex hull, the prism through the
/// tips or, where they are far apart, wedges of soil before and behind each. Deep hollows, more than a quarter of the
/// wheel's radius, are no such pockets, as between the legs of a wheel without rim: that wheel, and one without
/// hollows, stays as it is. So does a mesh that is not closed, for ScmBody to refuse.
TriMesh with_trapped_soil(const TriMesh& wheel);

/// The same, but for the papers' laws, which take every face of a wheel as it is: with Horizontal::paper grousers
/// thrust by their flanks.
TriMesh wheel_in_soil(const TriMesh& wheel, const ScmOptions& options);

}  // namespace grouser::internal
