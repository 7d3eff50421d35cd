#include "contact/pcm/base_surface.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace grouser::internal {
namespace {

using Iterator = std::vector<std::int32_t>::iterator;

/// Orders triangles such that each eight in a row are neighbours: halves along the longest side, at whole
/// packets, so that all packets but the last are full.
void sort_into_packets(const std::vector<BaseElement>& elements, Iterator first, Iterator last) {
  const auto count = last - first;
  if (count <= 8) return;
  Aabb box;
  for (Iterator i = first; i != last; ++i) box.add(elements[slot(*i)].centre);
  Eigen::Index axis = 0;
  box.size().maxCoeff(&axis);
  const Iterator middle = first + (count / 2 + 7) / 8 * 8;
  std::nth_element(first, middle, last, [&](std::int32_t a, std::int32_t b) {
    const double x = elements[slot(a)].centre[axis], y = elements[slot(b)].centre[axis];
    return x != y ? x < y : a < b;
  });
  sort_into_packets(elements, first, middle);
  sort_into_packets(elements, middle, last);
}

Aabb box_of(const std::vector<BaseElement>& elements, std::span<const std::int32_t> triangles,
            double reach) {
  Aabb box;
  for (const std::int32_t t : triangles) {
    const BaseElement& element = elements[slot(t)];
    box.add(element.centre);
    box.add(Vec3(element.centre - reach * element.normal));
  }
  return box;
}

}  // namespace

LinePacket make_packet(std::span<const BaseElement> elements,
                       std::span<const std::int32_t> triangles) {
  LinePacket packet;
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const bool is_there = lane < triangles.size();
    const std::int32_t t = triangles[is_there ? lane : 0];
    packet.triangle[lane] = t;
    packet.lanes |= is_there ? 1U << lane : 0U;
    packet.origin.set_lane(static_cast<int>(lane), elements[slot(t)].centre);
    packet.direction.set_lane(static_cast<int>(lane), -elements[slot(t)].normal);
  }
  return packet;
}

BaseSurface::BaseSurface(std::shared_ptr<const TriMesh> mesh, double max_penetration)
    : mesh_(std::move(mesh)), max_penetration_(max_penetration) {
  assert(max_penetration > 0);
  std::vector<std::int32_t> order;
  elements_.resize(mesh_->triangles.size());
  for (std::size_t t = 0; t < elements_.size(); ++t) {
    const Triangle& v = mesh_->triangles[t];
    const Vec3 area = area_vector(*mesh_, t);
    const double size = area.norm();
    if (!(size > 0)) continue;
    elements_[t] = {.centre = (mesh_->vertices[slot(v[0])] + mesh_->vertices[slot(v[1])] +
                               mesh_->vertices[slot(v[2])]) /
                              3,
                    .normal = area / size,
                    .area = size};
    order.push_back(static_cast<std::int32_t>(t));
  }
  sort_into_packets(elements_, order.begin(), order.end());
  std::vector<Aabb> boxes;
  for (std::size_t first = 0; first < order.size(); first += 8) {
    const auto triangles =
        std::span(order).subspan(first, std::min<std::size_t>(8, order.size() - first));
    packets_.push_back(make_packet(elements_, triangles));
    boxes.push_back(box_of(elements_, triangles, max_penetration));
  }
  tree_ = Bvh(boxes, {.max_leaf = 1});
}

}  // namespace grouser::internal
