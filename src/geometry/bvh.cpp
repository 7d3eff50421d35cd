#include "geometry/bvh.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace grouser::internal {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kBins = 16;  // along each axis
// From this depth on, ranges are halved by count, so that no input makes the tree deeper than kMaxDepth.
constexpr int kMedianDepth = 44;

/// Box of one primitive or of many; the fourth lanes are free.
struct Box4 {
  Float4 lower = {kInf, kInf, kInf, kInf};
  Float4 upper = {-kInf, -kInf, -kInf, -kInf};

  void add(const Box4& other) {
    lower = minimum(lower, other.lower);
    upper = maximum(upper, other.upper);
  }
  float half_area() const {
    const Float4 d = upper - lower;
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
  }
  Float4 middle() const { return lower + upper; }  // twice the centre: only its order counts
};

/// The box of a primitive, and in its fourth lanes the halves of the index, as whole numbers that floats
/// hold exactly: a third less to be moved about.
struct Primitive {
  Box4 box;

  Primitive() = default;
  Primitive(const Box4& bounds, std::int32_t id) : box(bounds) {
    box.lower[3] = static_cast<float>(id >> 16);
    box.upper[3] = static_cast<float>(id & 0xFFFF);
  }
  std::int32_t id() const {
    return static_cast<std::int32_t>(box.lower[3]) << 16 | static_cast<std::int32_t>(box.upper[3]);
  }
};

Box4 box4(const Aabb& box) {
  return {
      Float4{float_below(box.lower.x()), float_below(box.lower.y()), float_below(box.lower.z()), 0},
      Float4{float_above(box.upper.x()), float_above(box.upper.y()), float_above(box.upper.z()),
             0}};
}

Aabb triangle_box(const TriMesh& mesh, const Triangle& triangle) {
  const auto vertex = [&](int k) -> const Vec3& {
    return mesh.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])];
  };
  return {vertex(0).cwiseMin(vertex(1)).cwiseMin(vertex(2)),
          vertex(0).cwiseMax(vertex(1)).cwiseMax(vertex(2))};
}

/// Primitives [begin, end), their box and the box of their middles.
struct Range {
  std::size_t begin = 0, end = 0;
  Box4 box = {}, middles = {};
  int depth = 0;

  std::size_t size() const { return end - begin; }
};

struct Bin {
  Box4 box;
  std::int32_t count = 0;
};

/// Where to cut a range: primitives with bin < `bin` on `axis` go left.
struct Split {
  int axis = -1;  // -1: no cut by bins
  int bin = 0;
  float cost = kInf;
};

/// Maps middles to bins, the same way when counting and when cutting.
struct Binning {
  Float4 origin, scale;

  explicit Binning(const Box4& middles) : origin(middles.lower) {
    const Float4 extents = middles.upper - middles.lower;
    // A cut across an axis along which there is little to part is hardly ever the best.
    const float least = 0.1F * std::max({extents[0], extents[1], extents[2]});
    for (int axis = 0; axis < 4; ++axis) {
      const float extent = axis < 3 && extents[axis] >= least ? extents[axis] : 0;
      // A hair less than kBins, so that the largest middle falls into the last bin.
      scale[axis] = extent > 0 ? kBins * 0.99999F / extent : 0;
      if (!std::isfinite(scale[axis])) scale[axis] = 0;
    }
  }
  auto bins_of(const Primitive& primitive) const {
    using Int4 = std::int32_t __attribute__((vector_size(16)));
    return __builtin_convertvector((primitive.box.middle() - origin) * scale, Int4);
  }
};

using AxisBins = std::array<Bin, kBins>;

Split best_cut_of_axis(const AxisBins& bins, int axis) {
  std::array<float, kBins> right_cost{};
  Box4 box;
  std::int32_t count = 0;
  for (std::size_t i = bins.size() - 1; i > 0; --i) {
    const Bin& bin = bins[i];
    box.add(bin.box);
    count += bin.count;
    right_cost[i] = count > 0 ? box.half_area() * static_cast<float>(count) : 0;
  }
  const std::int32_t total = count + bins[0].count;
  Split best;
  box = {};
  count = 0;
  for (std::size_t i = 1; i < bins.size(); ++i) {
    const Bin& bin = bins[i - 1];
    box.add(bin.box);
    count += bin.count;
    if (count == 0 || count == total) continue;
    const float cost = box.half_area() * static_cast<float>(count) + right_cost[i];
    if (cost < best.cost) best = {axis, static_cast<int>(i), cost};
  }
  return best;
}

class Builder {
 public:
  Builder(std::vector<Primitive>& primitives, int max_leaf, std::vector<Bvh::Node>& nodes)
      : primitives_(primitives), max_leaf_(static_cast<std::size_t>(max_leaf)), nodes_(nodes) {}

  void build() {
    Range all{.begin = 0, .end = primitives_.size()};
    for (const Primitive& primitive : primitives_) add(all, primitive);
    nodes_.reserve(primitives_.size() / 8 + 1);
    make_node(all);
  }

 private:
  static void add(Range& range, const Primitive& primitive) {
    range.box.add(primitive.box);
    const Float4 middle = primitive.box.middle();
    range.middles.add({middle, middle});
  }

  std::int32_t make_node(const Range& range) {
    std::array<Range, Bvh::kWidth> children;
    const std::size_t count = children_of(range, children);
    const auto index = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      const bool present = lane < count;
      const bool leaf = present && children[lane].size() <= max_leaf_;
      std::int32_t child = present ? static_cast<std::int32_t>(children[lane].begin) : 0;
      if (present && !leaf) child = make_node(children[lane]);
      Bvh::Node& node = nodes_[static_cast<std::size_t>(index)];
      const Box4 box = present ? children[lane].box : Box4{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        node.lower[axis][lane] = box.lower[axis];
        node.upper[axis][lane] = box.upper[axis];
      }
      node.child[lane] = child;
      node.count[lane] = leaf ? static_cast<std::uint8_t>(children[lane].size()) : 0;
    }
    return index;
  }

  /// Cuts the range, always the largest part by area, until there are eight or all are leaves.
  std::size_t children_of(const Range& range, std::array<Range, Bvh::kWidth>& children) {
    children[0] = range;
    std::size_t count = 1;
    while (count < Bvh::kWidth) {
      std::size_t largest = Bvh::kWidth;
      float largest_area = -1;
      for (std::size_t i = 0; i < count; ++i) {
        const float area = children[i].box.half_area();
        if (children[i].size() > max_leaf_ && area > largest_area) {
          largest = i;
          largest_area = area;
        }
      }
      if (largest == Bvh::kWidth) break;
      const Range parent = children[largest];
      cut(parent, children[largest], children[count]);
      ++count;
    }
    for (std::size_t i = 0; i < count; ++i) children[i].depth = range.depth + 1;
    return count;
  }

  void cut(const Range& range, Range& left, Range& right) {
    const Binning binning(range.middles);
    const Split split = range.depth < kMedianDepth ? best_split(range, binning) : Split{};
    if (split.axis < 0) {
      halve(range, left, right);
    } else {
      partition(range, binning, split, left, right);
    }
  }

  Split best_split(const Range& range, const Binning& binning) {
    std::array<std::size_t, 3> axes{};
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (binning.scale[axis] > 0) axes[count++] = axis;
    }
    std::array<AxisBins, 3> bins{};
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Primitive& primitive = primitives_[i];
      const auto where = binning.bins_of(primitive);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t axis = axes[k];
        Bin& bin = bins[axis][static_cast<std::size_t>(where[axis])];
        bin.box.add(primitive.box);
        ++bin.count;
      }
    }
    Split best;
    for (std::size_t k = 0; k < count; ++k) {
      const Split split = best_cut_of_axis(bins[axes[k]], static_cast<int>(axes[k]));
      if (split.cost < best.cost) best = split;
    }
    return best;
  }

  void partition(const Range& range, const Binning& binning, const Split& split, Range& left,
                 Range& right) {
    left = {.begin = range.begin};
    right = {.end = range.end};
    std::size_t low = range.begin, high = range.end;
    while (low < high) {
      Primitive& primitive = primitives_[low];
      if (binning.bins_of(primitive)[split.axis] < split.bin) {
        add(left, primitive);
        ++low;
      } else {
        add(right, primitive);
        std::swap(primitive, primitives_[--high]);
      }
    }
    left.end = right.begin = low;
  }

  /// For middles that all fall together, or a tree grown too deep: by count, along the longest axis.
  void halve(const Range& range, Range& left, Range& right) {
    const Float4 extent = range.middles.upper - range.middles.lower;
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
      if (extent[k] > extent[axis]) axis = k;
    }
    const std::size_t middle = range.begin + range.size() / 2;
    const auto at = [&](std::size_t i) {
      return primitives_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(range.begin), at(middle), at(range.end),
                     [&](const Primitive& a, const Primitive& b) {
                       const float x = a.box.middle()[axis], y = b.box.middle()[axis];
                       return x != y ? x < y : a.id() < b.id();
                     });
    left = {.begin = range.begin, .end = middle};
    right = {.begin = middle, .end = range.end};
    for (std::size_t i = left.begin; i < left.end; ++i) add(left, primitives_[i]);
    for (std::size_t i = right.begin; i < right.end; ++i) add(right, primitives_[i]);
  }

  std::vector<Primitive>& primitives_;
  std::size_t max_leaf_;
  std::vector<Bvh::Node>& nodes_;
};

/// Builds the tree over `count` primitives whose boxes box_of(i) gives.
template <class BoxOf>
void build(std::size_t count, BoxOf&& box_of, int max_leaf, std::vector<Bvh::Node>& nodes,
           std::vector<std::int32_t>& order, Aabb& bounds) {
  assert(max_leaf >= 1 && max_leaf <= 255);
  assert(count < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
  if (count == 0) return;
  std::vector<Primitive> primitives(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Aabb box = box_of(i);
    primitives[i] = Primitive(box4(box), static_cast<std::int32_t>(i));
    bounds.add(box);
  }
  Builder(primitives, max_leaf, nodes).build();
  order.resize(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = primitives[i].id();
}

/// Bounds of all nodes from those of their children, last first, because children come after parents.
template <class BoxOf>
Aabb refit_nodes(BoxOf&& box_of, std::span<Bvh::Node> nodes, std::span<const std::int32_t> order) {
  Aabb bounds;
  const auto box_of_node = [](const Bvh::Node& node) {
    Box4 box;
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      box.add({Float4{node.lower[0][lane], node.lower[1][lane], node.lower[2][lane], 0},
               Float4{node.upper[0][lane], node.upper[1][lane], node.upper[2][lane], 0}});
    }
    return box;
  };
  for (std::size_t n = nodes.size(); n-- > 0;) {
    Bvh::Node& node = nodes[n];
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      if (node.lower[0][lane] > node.upper[0][lane]) continue;
      const auto child = static_cast<std::size_t>(node.child[lane]);
      Box4 box;
      if (node.count[lane] == 0) {
        box = box_of_node(nodes[child]);
      } else {
        for (const std::int32_t primitive : order.subspan(child, node.count[lane])) {
          const Aabb exact = box_of(static_cast<std::size_t>(primitive));
          bounds.add(exact);
          box.add(box4(exact));
        }
      }
      for (std::size_t axis = 0; axis < 3; ++axis) {
        node.lower[axis][lane] = box.lower[axis];
        node.upper[axis][lane] = box.upper[axis];
      }
    }
  }
  return bounds;
}

}  // namespace

Bvh::Bvh(std::span<const Aabb> boxes, const BvhOptions& options) {
  build(
      boxes.size(), [&](std::size_t i) { return boxes[i]; }, options.max_leaf, nodes_, order_,
      bounds_);
}

Bvh::Bvh(const TriMesh& mesh, const BvhOptions& options) {
  build(
      mesh.triangles.size(), [&](std::size_t i) { return triangle_box(mesh, mesh.triangles[i]); },
      options.max_leaf, nodes_, order_, bounds_);
}

void Bvh::refit(std::span<const Aabb> boxes) {
  assert(boxes.size() == size());
  bounds_ = refit_nodes([&](std::size_t i) { return boxes[i]; }, nodes_, order_);
}

void Bvh::refit(const TriMesh& mesh) {
  assert(mesh.triangles.size() == size());
  bounds_ = refit_nodes([&](std::size_t i) { return triangle_box(mesh, mesh.triangles[i]); },
                        nodes_, order_);
}

}  // namespace grouser::internal
