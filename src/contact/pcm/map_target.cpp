#include "contact/pcm/map_target.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/pcm/packet_boxes.h"
#include "contact/pcm/packet_caster.h"

namespace grouser::internal {
namespace {

constexpr int kMargin = 8;  // cells around the body that a window holds in advance

/// Cells of a grid that meet a rectangle.
MapWindow::Cells cells_of(const GridSpec& grid, const Rect& rect) {
  const auto cell = [&](double x, double origin, int count) {
    const double at = std::floor((x - origin) / grid.spacing);
    return static_cast<int>(std::clamp(at, -1.0, static_cast<double>(count)));
  };
  const auto x = [&](double at) { return cell(at, grid.origin.x(), grid.nx - 1); };
  const auto y = [&](double at) { return cell(at, grid.origin.y(), grid.ny - 1); };
  return {.i0 = std::max(0, x(rect.lower.x())),
          .j0 = std::max(0, y(rect.lower.y())),
          .i1 = std::min(grid.nx - 1, x(rect.upper.x()) + 1),
          .j1 = std::min(grid.ny - 1, y(rect.upper.y()) + 1)};
}

class MapWalk {
 public:
  MapWalk(const BaseSurface& base, const MapWindow& window, const Pose& X_WB,
          ContactElements& elements, DetectionScratch& scratch)
      : base_(base),
        window_(window),
        frames_(X_WB, DetectionFrame::target),
        mover_(X_WB, base.tree().bounds(), 0),
        elements_(elements),
        scratch_(scratch) {}

  void enter(std::int32_t index) {
    const Bvh::Node& node = base_.tree().nodes()[slot(index)];
    const MovedBoxes boxes = mover_(node);
    ++scratch_.count.box_tests;
    const auto highest = float8(float_above(window_.highest()));
    for (unsigned bits = children_of(node) & bits_of(boxes.lower[2] <= highest); bits != 0;
         bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      if (node.count[lane] == 0) {
        enter(node.child[lane]);
      } else {
        cast_packet(base_.packets()[slot(base_.tree().order()[slot(node.child[lane])])]);
      }
    }
  }

 private:
  void cast_packet(const LinePacket& packet) {
    PacketCaster caster(frames_, packet, base_.max_penetration());
    const QueryBox box =
        box_of_lines(caster.origin(), caster.direction(), base_.max_penetration(), mover_.margin());
    const MapWindow::Cells cells = window_.cells(
        {Vec2(box.lower[0][0], box.lower[1][0]), Vec2(box.upper[0][0], box.upper[1][0])});
    for (int j = cells.j0; j < cells.j1; ++j) {
      for (int i = cells.i0; i < cells.i1; ++i) cast_at_cell(i, j, box, caster);
    }
    elements_.store(packet, caster.hits(), scratch_.found);
  }

  void cast_at_cell(int i, int j, const QueryBox& box, PacketCaster& caster) {
    const auto corner = [&](int di, int dj) {
      const Vec2 at = window_.grid().node(i + di, j + dj);
      return Vec3(at.x(), at.y(), window_.height(i + di, j + dj));
    };
    const Vec3 a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
    const double low = std::min(std::min(a.z(), b.z()), std::min(c.z(), d.z()));
    const double high = std::max(std::max(a.z(), b.z()), std::max(c.z(), d.z()));
    if (low > box.upper[2][0] || high < box.lower[2][0]) return;
    const std::int64_t number = 2 * (std::int64_t{j} * window_.grid().nx + i);
    scratch_.count.ray_tests += 2;
    caster.test(TargetTriangle::of(a, b, c), number);
    caster.test(TargetTriangle::of(a, c, d), number + 1);
  }

  const BaseSurface& base_;
  const MapWindow& window_;
  CastFrames frames_;
  BoxMover mover_;
  ContactElements& elements_;
  DetectionScratch& scratch_;
};

}  // namespace

bool MapWindow::cover(const ElevationMap& map, const Rect& rect) {
  const Cells asked = cells_of(map.grid(), rect);
  if (asked.i0 >= asked.i1 || asked.j0 >= asked.j1) return false;
  const bool is_held = !heights_.empty() && asked.i0 >= i0_ && asked.j0 >= j0_ &&
                       asked.i1 <= i0_ + window_.nx - 1 && asked.j1 <= j0_ + window_.ny - 1;
  if (is_held) return true;
  grid_ = map.grid();
  i0_ = std::max(0, asked.i0 - kMargin);
  j0_ = std::max(0, asked.j0 - kMargin);
  window_ = {.origin = grid_.node(i0_, j0_),
             .spacing = grid_.spacing,
             .nx = std::min(grid_.nx, asked.i1 + 1 + kMargin) - i0_,
             .ny = std::min(grid_.ny, asked.j1 + 1 + kMargin) - j0_};
  heights_.resize(window_.size());
  for (int j = 0; j < window_.ny; ++j) {
    for (int i = 0; i < window_.nx; ++i) {
      const Vec2 at = grid_.node(i0_ + i, j0_ + j);
      heights_[window_.index(i, j)] = map.height(at.x(), at.y());
    }
  }
  highest_ = *std::ranges::max_element(heights_);
  return true;
}

MapWindow::Cells MapWindow::cells(const Rect& rect) const { return cells_of(grid_, rect); }

void detect_penetration(const BaseSurface& base, const MapWindow& window, const Pose& X_WB,
                        ContactElements& elements, DetectionScratch& scratch) {
  if (base.packets().empty()) return;
  MapWalk(base, window, X_WB, elements, scratch).enter(0);
}

}  // namespace grouser::internal
