#pragma once

#include "geometry/tri_mesh.h"

namespace grouser::internal {

struct SimplifyOptions {
  double max_edge = 0;   ///< no edge gets longer than this [m], > 0
  double tolerance = 0;  ///< no vertex that goes is farther from the new surface [m], >= 0
};

/// A closed mesh of fewer triangles: vertices that the surface does not need go, one by one, each joined
/// with a neighbour. Flat and straight parts lose theirs, corners and curved lines do not. The mesh stays
/// closed; it has the same vertices in the same order, without those that went. Vertices where the
/// surface touches itself stay.
///
/// Half-edge collapses as in Kobbelt, Campagna & Seidel, "A general framework for mesh decimation",
/// Graphics Interface (1998), in the order of the vertices rather than by cost.
TriMesh simplified(const TriMesh& mesh, const SimplifyOptions& options);

}  // namespace grouser::internal
