#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nonsmooth/scaled_cone.h"

/// Internal to nonsmooth: in which order, and in which groups, to eliminate the blocks of a sparse matrix with
/// the pattern of W.
namespace grouser::internal {

/// A group of blocks eliminated together, with the later blocks that they touch by then.
struct Front {
  int pivots = 0;          ///< rows eliminated: the first ones
  int size = 0;            ///< rows in all
  int parent = -1;         ///< front that takes what remains; -1: nothing remains
  std::vector<int> row;    ///< row of the scaled problem (3 b + k) of each row
  std::vector<int> place;  ///< place in the parent of each row that remains
};

/// Multifrontal elimination tree: minimum degree on groups of blocks with the same neighbours, as the
/// contacts of one pair of bodies have. Duff & Reid, ACM Trans. Math. Softw. 9 (1983).
class FrontTree {
 public:
  /// For the blocks with active[b] != 0. Nothing is done if they are those of the last call and the cone is
  /// said to be the same.
  void analyze(const ScaledCone& cone, std::span<const char> active, bool same_cone);
  /// In an order in which parents come after their children.
  std::span<const Front> fronts() const { return {fronts_.data(), count_}; }
  /// The front in which a block is eliminated, -1 if it is not active.
  int front_of(int block) const { return front_of_[static_cast<std::size_t>(block)]; }

 private:
  using Word = std::uint64_t;

  void group_blocks(const ScaledCone& cone);
  void order_groups(const ScaledCone& cone);
  void merge_groups();
  void make_fronts(const ScaledCone& cone);
  /// One bit for each group: row of the adjacency.
  std::span<Word> later(int group) {
    return {adjacency_.data() + static_cast<std::size_t>(group) * words_, words_};
  }

  std::vector<char> active_;
  std::vector<Word> hash_, adjacency_;
  std::size_t words_ = 0;
  std::vector<int> hash_order_;                  // active blocks, those of a group together
  std::vector<int> group_of_;                    // of each block
  std::vector<int> first_of_, weight_, degree_;  // of each group: a block, rows, rows it touches
  std::vector<int> order_, rank_;                // of elimination
  std::vector<int> host_, pivots_;               // group that leads the front; rows of the front
  std::vector<std::vector<int>> members_, blocks_of_;
  std::vector<Front> fronts_;  // the first count_ are valid, the others keep memory
  std::size_t count_ = 0;
  std::vector<int> front_of_, place_;
};

}  // namespace grouser::internal
