#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tri_mesh.h"

namespace grouser::internal {

/// Grows a mesh by structured pieces that share vertices.
class MeshBuilder {
 public:
  /// A vertex on a ring around the y axis, at an angle [rad] from z towards x.
  struct RingNode {
    double angle;
    std::int32_t vertex;
  };

  std::int32_t vertex(const Vec3& position);
  const Vec3& position(std::int32_t vertex) const {
    return mesh_.vertices[static_cast<std::size_t>(vertex)];
  }
  void triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    mesh_.triangles.push_back({a, b, c});
  }

  /// Two triangles, cut along a-c.
  void quad(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }

  /// Two triangles of the cell between node j of two rows and their nodes j + 1 (the first again after
  /// the last). Outside is where `first` runs anticlockwise below `second`; `rising` chooses the cut from
  /// first[j] to second[j + 1], else it goes from first[j + 1] to second[j].
  void cell(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
            std::size_t j, bool rising);

  /// All cells between two closed rows.
  void band(std::span<const std::int32_t> first, std::span<const std::int32_t> second, bool rising);

  /// Triangles from a closed ring to a point; outside is where the ring runs anticlockwise around it.
  void fan(std::int32_t centre, std::span<const std::int32_t> ring);

  /// The flat band between two rings about y in a plane y = const, each sorted by angle and spanning
  /// less than one turn. Outside is +y.
  void annulus(std::span<const RingNode> inner, std::span<const RingNode> outer);

  /// From here on triangles are turned round, or no longer.
  void set_reversed(bool reversed);

  /// The mesh, without vertices that no triangle uses.
  TriMesh take();

 private:
  void turn_tail();

  TriMesh mesh_;
  bool reversed_ = false;
  std::size_t turned_ = 0;  // triangles before this one are as they should be
};

/// Angles brought into [0, 2π) and the smallest first; the order around the axle is kept.
std::vector<MeshBuilder::RingNode> sorted_ring(std::vector<MeshBuilder::RingNode> ring);

}  // namespace grouser::internal
