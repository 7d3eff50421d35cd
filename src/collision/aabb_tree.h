#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "geometry/aabb.h"

namespace grouser::internal {

inline bool contains(const Aabb& outer, const Aabb& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (inner.upper.array() <= outer.upper.array()).all();
}

/// Boxes of things that move, in a balanced binary tree. A leaf stands in the tree with a box somewhat
/// larger than its own ("fat"), so that it need only be moved in the tree when it leaves that. What
/// query() finds depends on the leaves' exact boxes alone, never on how they came to be there; the order
/// in which it finds them does depend on that.
///
/// Insertion goes down where the surface of the boxes grows least, and subtrees are rotated when heights
/// differ by more than one: the dynamic tree of Bullet and Box2D, after Goldsmith & Salmon, "Automatic
/// creation of object hierarchies for ray tracing", IEEE CG&A 7 (1987). What many moves have worn out,
/// renew() builds anew.
class AabbTree {
 public:
  /// `margin` [m] >= 0 by which boxes are fattened on all sides.
  explicit AabbTree(double margin = 0) : margin_(margin) {}

  /// A new leaf; returns its number: 0, 1, 2, ...
  int insert(const Aabb& box);
  /// Gives a leaf its new box. Returns whether it had to be moved in the tree.
  bool update(int leaf, const Aabb& box);

  /// If as many leaves were moved or inserted as there are since the tree was last built as a whole, builds
  /// it anew: by halves, along the axis on which the boxes' centres are spread most.
  void renew();

  int size() const { return static_cast<int>(leaves_.size()); }
  const Aabb& box(int leaf) const { return leaves_[index(leaf)].box; }
  int height() const { return root_ < 0 ? 0 : nodes_[index(root_)].height; }

  /// Calls found(leaf) for every leaf whose own box overlaps (touching counts).
  template <class Found>
  void query(const Aabb& box, Found&& found) const {
    visit(box, [&](int leaf) {
      if (leaves_[index(leaf)].box.overlaps(box)) found(leaf);
    });
  }

  /// Calls found(a, b) for every two leaves whose own boxes overlap, once, in any order of the two. Those whose
  /// fat boxes overlap are kept from call to call, as long as these stay where they are.
  template <class Found>
  void pairs(Found&& found) {
    update_near();
    for (const Two& two : near_) {
      if (leaves_[index(two.a)].box.overlaps(leaves_[index(two.b)].box)) found(two.a, two.b);
    }
  }

 private:
  struct Node {
    Aabb box;  // fat
    int parent = -1;
    int child[2] = {-1, -1};
    int leaf = -1;   // number of the leaf, or -1
    int height = 0;  // of the subtree; 0 for a leaf
  };
  struct Leaf {
    Aabb box;  // exact
    int node = -1;
    bool is_moved = true;  // in the tree, since pairs were last asked for
  };
  struct Two {
    int a, b;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  /// Calls found(leaf) for every leaf whose fat box overlaps.
  template <class Found>
  void visit(const Aabb& box, Found&& found) const {
    // A tree of height h needs h + 1 places; balanced, 2³² leaves are no higher than 47.
    std::array<int, 64> stack;
    int count = 0;
    if (root_ >= 0) stack[0] = root_, count = 1;
    while (count > 0) {
      const Node& node = nodes_[index(stack[index(--count)])];
      if (!node.box.overlaps(box)) continue;
      if (node.leaf >= 0) {
        found(node.leaf);
        continue;
      }
      assert(count + 2 <= 64);
      stack[index(count++)] = node.child[0];
      stack[index(count++)] = node.child[1];
    }
  }
  Node& node(int i) { return nodes_[index(i)]; }
  int new_node();
  int best_sibling(const Aabb& box) const;
  void link(int node);
  void unlink(int node);
  void refresh(int node);
  void repair_upwards(int node);
  int balance(int node);
  int build(int first, int last, int parent);
  void replace_child(int parent, int old_child, int new_child);
  void note_move(int leaf);
  void update_near();
  void find_all_near();

  double margin_;
  int root_ = -1;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<int> free_;  // nodes out of use
  int moves_ = 0;          // since the last renewal
  std::vector<Two> near_;  // leaves whose fat boxes overlap, but for those that moved
  std::vector<int> moved_;
  bool is_renewed_ = true;  // since pairs were last asked for
  std::vector<int> order_;  // of the leaves, while they are built
};

}  // namespace grouser::internal
