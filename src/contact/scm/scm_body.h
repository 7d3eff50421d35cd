#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/scm/facets.h"
#include "contact/scm/options.h"
#include "geometry/bvh.h"

namespace grouser::internal {

/// Longest edge of a body's mesh that finds the edge of a footprint well enough [cells]. With four, a
/// slipping wheel sinks 4 % less; with one, 1 % more.
inline constexpr double kEdgeInCells = 3;
/// Longest edge that leaves no cell below a body without a vertex [cells]: no point of a triangle is farther
/// from its corners than 1/√3 of its longest edge, and the middle of a cell must have one within half a cell.
inline constexpr double kVertexEdgeInCells = 0.85;

/// Longest edge [m] of a body's mesh on a grid of that spacing [m].
inline double longest_edge(const ScmOptions& options, double spacing) {
  const bool by_vertices = options.detection == ScmOptions::Detection::vertices;
  return (by_vertices ? kVertexEdgeInCells : kEdgeInCells) * spacing;
}

/// A body as the soil sees it: a closed mesh in the body's frame, made ready to be pressed into a grid.
/// Immutable, shared by threads.
class ScmBody {
 public:
  /// A few neighbouring facets, with vertices of their own, so that they can be worked on in loops over
  /// plain arrays.
  struct Cluster {
    std::int32_t first_vertex = 0, vertices = 0;
    std::int32_t first_facet = 0, facets = 0;
    Vec3 axis = Vec3::UnitZ();  ///< mean direction of their normals, unit
    double sine = 1;            ///< of the largest angle between a normal and it; 1 if beyond 90°
    Vec3 centre = Vec3::Zero(), half = Vec3::Zero();  ///< box: its middle and half its size [m]
  };

  /// Triangles with edges longer than `max_edge` [m], > 0, are divided, because the edge of a footprint
  /// is found from the heights of vertices. Shorter ones on flat and straight parts are joined: the surface
  /// moves by no more than 1e-6 of `max_edge`. Throws Error(input) if the mesh is not closed, or would
  /// have more than ten million triangles when divided.
  ScmBody(const TriMesh& mesh, double max_edge);

  double max_edge() const { return max_edge_; }
  Aabb bounds() const { return bvh_.bounds(); }
  std::size_t facet_count() const { return normal_x_.size(); }

  /// Boxes of the clusters.
  const Bvh& bvh() const { return bvh_; }
  std::span<const Cluster> clusters() const { return clusters_; }

  // Per vertex of the clusters; those that several share are repeated.
  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }
  std::span<const double> z() const { return z_; }
  // Per facet, in order of the clusters.
  std::span<const double> normal_x() const { return normal_x_; }  ///< unit, outward
  std::span<const double> normal_y() const { return normal_y_; }
  std::span<const double> normal_z() const { return normal_z_; }
  /// Corners, counted from the first vertex of the cluster.
  std::span<const std::int32_t> corner(std::size_t k) const { return corners_[k]; }
  /// Parts, corners counted likewise.
  std::span<const FacetPart> parts(std::size_t facet) const {
    return std::span(parts_).subspan(first_part_[facet],
                                     first_part_[facet + 1] - first_part_[facet]);
  }

 private:
  void add_cluster(const TriMesh& mesh, std::span<const Facet> facets,
                   std::vector<std::int32_t>& slots);

  double max_edge_;
  Bvh bvh_;
  std::vector<Cluster> clusters_;
  std::vector<double> x_, y_, z_;
  std::vector<double> normal_x_, normal_y_, normal_z_;
  std::array<std::vector<std::int32_t>, 4> corners_;
  std::vector<std::size_t> first_part_{0};  // per facet, and the end
  std::vector<FacetPart> parts_;
};

}  // namespace grouser::internal
