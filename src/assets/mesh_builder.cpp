#include "assets/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "math/angle.h"

namespace grouser::internal {

std::int32_t MeshBuilder::vertex(const Vec3& position) {
  mesh_.vertices.push_back(position);
  return static_cast<std::int32_t>(mesh_.vertices.size() - 1);
}

void MeshBuilder::cell(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       std::size_t j, bool rising) {
  const std::size_t next = j + 1 == first.size() ? 0 : j + 1;
  if (rising) {
    quad(first[j], first[next], second[next], second[j]);
  } else {
    quad(first[next], second[next], second[j], first[j]);
  }
}

void MeshBuilder::band(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       bool rising) {
  for (std::size_t j = 0; j < first.size(); ++j) cell(first, second, j, rising);
}

void MeshBuilder::fan(std::int32_t centre, std::span<const std::int32_t> ring) {
  for (std::size_t j = 0; j < ring.size(); ++j) {
    triangle(centre, ring[j], ring[j + 1 == ring.size() ? 0 : j + 1]);
  }
}

// Like a zip fastener: the ring whose next node comes first around the axle moves on.
void MeshBuilder::annulus(std::span<const RingNode> inner, std::span<const RingNode> outer) {
  const auto angle_after = [](std::span<const RingNode> ring, std::size_t k) {
    if (k >= ring.size()) return std::numeric_limits<double>::infinity();
    return k + 1 < ring.size() ? ring[k + 1].angle : ring[0].angle + 2 * std::numbers::pi;
  };
  const auto at = [](std::span<const RingNode> ring, std::size_t k) {
    return ring[k % ring.size()].vertex;
  };
  std::size_t i = 0, o = 0;
  while (i < inner.size() || o < outer.size()) {
    if (angle_after(outer, o) <= angle_after(inner, i)) {
      triangle(at(inner, i), at(outer, o), at(outer, o + 1));
      ++o;
    } else {
      triangle(at(inner, i), at(outer, o), at(inner, i + 1));
      ++i;
    }
  }
}

void MeshBuilder::set_reversed(bool reversed) {
  turn_tail();
  reversed_ = reversed;
}

void MeshBuilder::turn_tail() {
  for (; turned_ < mesh_.triangles.size(); ++turned_) {
    if (reversed_) std::swap(mesh_.triangles[turned_][1], mesh_.triangles[turned_][2]);
  }
}

TriMesh MeshBuilder::take() {
  turn_tail();
  std::vector<std::int32_t> kept(mesh_.vertices.size(), -1);
  for (const Triangle& triangle : mesh_.triangles) {
    for (const std::int32_t v : triangle) kept[static_cast<std::size_t>(v)] = 0;
  }
  std::int32_t count = 0;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    if (kept[v] < 0) continue;
    mesh_.vertices[static_cast<std::size_t>(count)] = mesh_.vertices[v];
    kept[v] = count++;
  }
  mesh_.vertices.resize(static_cast<std::size_t>(count));
  for (Triangle& triangle : mesh_.triangles) {
    for (std::int32_t& v : triangle) v = kept[static_cast<std::size_t>(v)];
  }
  return std::move(mesh_);
}

std::vector<MeshBuilder::RingNode> sorted_ring(std::vector<MeshBuilder::RingNode> ring) {
  for (MeshBuilder::RingNode& node : ring) {
    node.angle -= kTurn * std::floor(node.angle / kTurn);
    if (node.angle >= kTurn) node.angle = 0;  // rounding of a tiny negative angle
  }
  const auto first = std::ranges::min_element(ring, {}, &MeshBuilder::RingNode::angle);
  std::rotate(ring.begin(), first, ring.end());
  return ring;
}

}  // namespace grouser::internal
