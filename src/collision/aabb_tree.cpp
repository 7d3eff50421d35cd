#include "collision/aabb_tree.h"

#include <algorithm>
#include <cstdlib>

namespace grouser::internal {
namespace {

/// A quarter of the surface's area [m²]; what matters is only which one is larger.
double surface(const Aabb& box) {
  const Vec3 d = box.size();
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

double surface_of_both(const Aabb& a, const Aabb& b) {
  Aabb both = a;
  both.add(b);
  return surface(both);
}

}  // namespace

int AabbTree::new_node() {
  if (free_.empty()) {
    nodes_.emplace_back();
    free_.reserve(nodes_.capacity());  // so that moving a leaf never allocates
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int i = free_.back();
  free_.pop_back();
  node(i) = Node{};
  return i;
}

int AabbTree::insert(const Aabb& box) {
  const int leaf = size(), i = new_node();
  leaves_.push_back({.box = box, .node = i});
  node(i).leaf = leaf;
  node(i).box = {box.lower.array() - margin_, box.upper.array() + margin_};
  link(i);
  is_renewed_ = true;
  ++moves_;
  return leaf;
}

bool AabbTree::update(int leaf, const Aabb& box) {
  Leaf& own = leaves_[index(leaf)];
  own.box = box;
  if (contains(node(own.node).box, box)) return false;
  unlink(own.node);
  node(own.node).box = {box.lower.array() - margin_, box.upper.array() + margin_};
  link(own.node);
  note_move(leaf);
  ++moves_;
  return true;
}

int AabbTree::best_sibling(const Aabb& box) const {
  int i = root_;
  while (nodes_[index(i)].leaf < 0) {
    const Node& here = nodes_[index(i)];
    const double both = surface_of_both(here.box, box);
    // A new parent here costs its own surface; going down costs what this box grows by, and then at
    // least what the child grows by.
    const double growth = both - surface(here.box);
    const auto cost_below = [&](int child) {
      const Node& below = nodes_[index(child)];
      const double grown = surface_of_both(below.box, box);
      return growth + (below.leaf >= 0 ? grown : grown - surface(below.box));
    };
    const double first = cost_below(here.child[0]), second = cost_below(here.child[1]);
    if (both < first && both < second) break;
    i = here.child[first <= second ? 0 : 1];
  }
  return i;
}

void AabbTree::replace_child(int parent, int old_child, int new_child) {
  if (new_child >= 0) node(new_child).parent = parent;
  if (parent < 0) {
    root_ = new_child;
  } else {
    node(parent).child[node(parent).child[0] == old_child ? 0 : 1] = new_child;
  }
}

void AabbTree::link(int i) {
  if (root_ < 0) {
    root_ = i;
    node(i).parent = -1;
    return;
  }
  const int sibling = best_sibling(node(i).box);
  const int parent = new_node();
  replace_child(node(sibling).parent, sibling, parent);
  node(parent).child[0] = sibling;
  node(parent).child[1] = i;
  node(sibling).parent = node(i).parent = parent;
  repair_upwards(parent);
}

void AabbTree::unlink(int i) {
  const int parent = node(i).parent;
  node(i).parent = -1;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const int sibling = node(parent).child[node(parent).child[0] == i ? 1 : 0];
  const int above = node(parent).parent;
  replace_child(above, parent, sibling);
  free_.push_back(parent);
  repair_upwards(above);
}

void AabbTree::refresh(int i) {
  Node& here = node(i);
  const Node &a = node(here.child[0]), &b = node(here.child[1]);
  here.box = a.box;
  here.box.add(b.box);
  here.height = 1 + std::max(a.height, b.height);
}

void AabbTree::repair_upwards(int i) {
  for (; i >= 0; i = node(i).parent) {
    i = balance(i);
    refresh(i);
  }
}

/// If one child is higher than the other by more than one, it takes this node's place, and this node
/// takes the lower of its children. Returns who stands here then.
int AabbTree::balance(int i) {
  const int difference = node(node(i).child[0]).height - node(node(i).child[1]).height;
  if (std::abs(difference) <= 1) return i;
  const int high_side = difference > 0 ? 0 : 1;
  const int high = node(i).child[high_side];
  int keep = node(high).child[0], give = node(high).child[1];
  if (node(keep).height < node(give).height) std::swap(keep, give);
  replace_child(node(i).parent, i, high);
  node(high).child[0] = i;
  node(high).child[1] = keep;
  node(i).parent = high;
  node(keep).parent = high;
  node(i).child[high_side] = give;
  node(give).parent = i;
  refresh(i);
  return high;
}

/// Leaf l becomes node l; the nodes above them follow.
void AabbTree::renew() {
  if (size() < 2 || moves_ < size()) return;
  moves_ = 0;
  is_renewed_ = true;
  nodes_.clear();
  free_.clear();
  order_.clear();
  for (int leaf = 0; leaf < size(); ++leaf) {
    const Aabb& box = leaves_[index(leaf)].box;
    leaves_[index(leaf)].node = leaf;
    nodes_.push_back(
        {.box = {box.lower.array() - margin_, box.upper.array() + margin_}, .leaf = leaf});
    order_.push_back(leaf);
  }
  root_ = build(0, size(), -1);
}

int AabbTree::build(int first, int last, int parent) {
  if (last - first == 1) {
    node(order_[index(first)]).parent = parent;
    return order_[index(first)];
  }
  const auto centre = [&](int leaf) { return leaves_[index(leaf)].box.centre(); };
  Aabb spread;
  for (int k = first; k < last; ++k) spread.add(centre(order_[index(k)]));
  int axis = 0;
  spread.size().maxCoeff(&axis);
  const int middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                   [&](int a, int b) { return centre(a)[axis] < centre(b)[axis]; });
  const int i = static_cast<int>(nodes_.size());
  nodes_.push_back({.parent = parent});
  const int low = build(first, middle, i), high = build(middle, last, i);
  node(i).child[0] = low;
  node(i).child[1] = high;
  refresh(i);
  return i;
}

void AabbTree::note_move(int leaf) {
  if (leaves_[index(leaf)].is_moved) return;
  leaves_[index(leaf)].is_moved = true;
  moved_.push_back(leaf);
}

void AabbTree::update_near() {
  if (is_renewed_) {
    find_all_near();
  } else if (!moved_.empty()) {
    std::erase_if(near_, [&](const Two& two) {
      return leaves_[index(two.a)].is_moved || leaves_[index(two.b)].is_moved;
    });
    for (const int leaf : moved_) {
      leaves_[index(leaf)].is_moved = false;  // who moved too and comes later finds no partner here
      visit(node(leaves_[index(leaf)].node).box, [&](int other) {
        if (other != leaf && !leaves_[index(other)].is_moved) near_.push_back({leaf, other});
      });
    }
  }
  moved_.clear();
}

void AabbTree::find_all_near() {
  near_.clear();
  for (Leaf& leaf : leaves_) leaf.is_moved = false;
  is_renewed_ = false;
  // Pairs of subtrees yet to be compared; a subtree with itself stands for its inside. Each pair gives
  // way to at most three that are one level lower, of two trees no higher than 47.
  std::array<Two, 256> stack;
  int count = 0;
  if (root_ >= 0) stack[0] = {root_, root_}, count = 1;
  while (count > 0) {
    const Two two = stack[index(--count)];
    const Node &a = nodes_[index(two.a)], &b = nodes_[index(two.b)];
    assert(count + 3 <= 256);
    if (two.a == two.b) {
      if (a.leaf >= 0) continue;
      stack[index(count++)] = {a.child[0], a.child[1]};
      stack[index(count++)] = {a.child[0], a.child[0]};
      stack[index(count++)] = {a.child[1], a.child[1]};
    } else if (!a.box.overlaps(b.box)) {
      continue;
    } else if (a.leaf >= 0 && b.leaf >= 0) {
      near_.push_back({a.leaf, b.leaf});
    } else if (a.height >= b.height) {
      for (const int child : a.child) stack[index(count++)] = {child, two.b};
    } else {
      for (const int child : b.child) stack[index(count++)] = {two.a, child};
    }
  }
}

}  // namespace grouser::internal
