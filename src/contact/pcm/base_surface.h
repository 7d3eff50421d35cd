#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/pcm/line_packet.h"
#include "geometry/bvh.h"

namespace grouser::internal {

/// A base triangle as contact element. Without an area: none.
struct BaseElement {
  Vec3 centre = Vec3::Zero();  ///< barycentre [m]
  Vec3 normal = Vec3::Zero();  ///< unit, outward
  double area = 0;             ///< [m²]
};

/// A mesh whose triangles are contact elements, with the tree of its penetration lines. Any mesh will do:
/// neighbourhood is not used, triangles without an area are no elements. Immutable, shared by threads.
class BaseSurface {
 public:
  /// Lines reach `max_penetration` [m], > 0, inward. Indices must be in range and coordinates finite.
  BaseSurface(std::shared_ptr<const TriMesh> mesh, double max_penetration);

  const TriMesh& mesh() const { return *mesh_; }
  double max_penetration() const { return max_penetration_; }
  std::span<const BaseElement> elements() const { return elements_; }  ///< per triangle
  /// Neighbouring lines in packets; all are full but the last.
  std::span<const LinePacket> packets() const { return packets_; }
  /// Over the packets, one to a leaf.
  const Bvh& tree() const { return tree_; }

 private:
  std::shared_ptr<const TriMesh> mesh_;
  double max_penetration_;
  std::vector<BaseElement> elements_;
  std::vector<LinePacket> packets_;
  Bvh tree_;
};

/// The lines of up to eight elements, at least one.
LinePacket make_packet(std::span<const BaseElement> elements,
                       std::span<const std::int32_t> triangles);

}  // namespace grouser::internal
