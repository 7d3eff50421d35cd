#include "nonsmooth/front_tree.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// Calls use(i) for every bit i that is set, ascending.
template <class Use>
void each_bit(std::span<const std::uint64_t> words, const Use& use) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
      use(static_cast<int>(64 * w) + std::countr_zero(rest));
    }
  }
}

void set_bit(std::span<std::uint64_t> words, int i) {
  words[at(i) / 64] |= std::uint64_t{1} << (at(i) % 64);
}
void clear_bit(std::span<std::uint64_t> words, int i) {
  words[at(i) / 64] &= ~(std::uint64_t{1} << (at(i) % 64));
}

}  // namespace

void FrontTree::analyze(const ScaledCone& cone, std::span<const char> active, bool same_cone) {
  if (same_cone && std::equal(active.begin(), active.end(), active_.begin(), active_.end())) return;
  active_.assign(active.begin(), active.end());
  group_blocks(cone);
  order_groups(cone);
  merge_groups();
  make_fronts(cone);
}

/// Blocks with the same neighbours become one group.
void FrontTree::group_blocks(const ScaledCone& cone) {
  hash_.assign(active_.size(), 0);
  hash_order_.clear();
  for (int b = 0; b < cone.size(); ++b) {
    if (!active_[at(b)]) continue;
    hash_order_.push_back(b);
    Word hash = 0;
    for (const int c : cone.neighbours(b))
      hash = (hash ^ static_cast<Word>(c)) * 0x9E3779B97F4A7C15u;
    hash_[at(b)] = hash;
  }
  std::sort(hash_order_.begin(), hash_order_.end(), [this](int a, int b) {
    return std::pair(hash_[at(a)], a) < std::pair(hash_[at(b)], b);
  });
  group_of_.assign(active_.size(), -1);
  first_of_.clear();
  for (std::size_t i = 0; i < hash_order_.size(); ++i) {
    const int b = hash_order_[i];
    const int previous = i > 0 ? hash_order_[i - 1] : b;
    if (i > 0 && hash_[at(b)] == hash_[at(previous)] &&
        std::ranges::equal(cone.neighbours(b), cone.neighbours(previous))) {
      group_of_[at(b)] = group_of_[at(previous)];
    } else {
      group_of_[at(b)] = static_cast<int>(first_of_.size());
      first_of_.push_back(b);
    }
  }
}

/// Minimum degree, counted in rows, on the graph of the groups; leaves in each row of the adjacency the later
/// groups that the group touches when it is eliminated.
void FrontTree::order_groups(const ScaledCone& cone) {
  const int groups = static_cast<int>(first_of_.size());
  words_ = (first_of_.size() + 63) / 64;
  adjacency_.assign(first_of_.size() * words_, 0);
  weight_.assign(first_of_.size(), 0);
  for (const int b : hash_order_) weight_[at(group_of_[at(b)])] += rows_of(cone.block(b).kind);
  degree_.assign(first_of_.size(), 0);
  const auto update_degree = [this](int g) {
    int sum = 0;
    each_bit(later(g), [&](int h) { sum += weight_[at(h)]; });
    degree_[at(g)] = sum;
  };
  for (int g = 0; g < groups; ++g) {
    for (const int c : cone.neighbours(first_of_[at(g)])) {
      if (group_of_[at(c)] >= 0) set_bit(later(g), group_of_[at(c)]);
    }
    clear_bit(later(g), g);
    update_degree(g);
  }
  order_.clear();
  rank_.assign(first_of_.size(), -1);
  constexpr int kDone = std::numeric_limits<int>::max();
  for (int step = 0; step < groups; ++step) {
    const auto least = std::min_element(degree_.begin(), degree_.end());
    const int v = static_cast<int>(least - degree_.begin());
    *least = kDone;
    rank_[at(v)] = step;
    order_.push_back(v);
    each_bit(later(v), [&](int w) {
      for (std::size_t k = 0; k < words_; ++k) later(w)[k] |= later(v)[k];
      clear_bit(later(w), w);
      clear_bit(later(w), v);
    });
    each_bit(later(v), [&](int w) { update_degree(w); });
  }
}

/// Joins a group to the next one that it touches where that makes a front hardly larger: fewer and larger
/// dense matrices.
void FrontTree::merge_groups() {
  host_.resize(order_.size());
  std::iota(host_.begin(), host_.end(), 0);
  pivots_ = weight_;
  members_.resize(order_.size());
  for (std::size_t g = 0; g < order_.size(); ++g) members_[g].assign(1, static_cast<int>(g));
  const auto rest = [this](int g) {
    int sum = 0;
    each_bit(later(g), [&](int h) { sum += weight_[at(h)]; });
    return sum;
  };
  for (const int v : order_) {
    int next = -1;
    each_bit(later(v), [&](int w) {
      if (next < 0 || rank_[at(w)] < rank_[at(next)]) next = w;
    });
    if (next < 0) continue;
    const int own = pivots_[at(v)] + rest(v);
    const int joined = pivots_[at(v)] + pivots_[at(next)] + rest(next);
    if (joined - own > std::max(6, own / 8)) continue;
    host_[at(v)] = next;
    pivots_[at(next)] += pivots_[at(v)];
    members_[at(next)].insert(members_[at(next)].end(), members_[at(v)].begin(),
                              members_[at(v)].end());
  }
}

void FrontTree::make_fronts(const ScaledCone& cone) {
  blocks_of_.resize(std::max(blocks_of_.size(), order_.size()));
  for (std::size_t g = 0; g < order_.size(); ++g) blocks_of_[g].clear();
  for (const int b : hash_order_) blocks_of_[at(group_of_[at(b)])].push_back(b);
  front_of_.assign(active_.size(), -1);
  place_.resize(at(cone.rows()));
  count_ = 0;
  for (const int v : order_) {
    if (host_[at(v)] != v) continue;
    if (fronts_.size() == count_) fronts_.emplace_back();
    Front& front = fronts_[count_];
    front.row.clear();
    const auto append = [&](int group) {
      for (const int b : blocks_of_[at(group)]) {
        for (int k = 0; k < rows_of(cone.block(b).kind); ++k) front.row.push_back(3 * b + k);
      }
    };
    for (const int g : members_[at(v)]) {
      append(g);
      for (const int b : blocks_of_[at(g)]) front_of_[at(b)] = static_cast<int>(count_);
    }
    front.pivots = static_cast<int>(front.row.size());
    each_bit(later(v), append);
    front.size = static_cast<int>(front.row.size());
    ++count_;
  }
  for (Front& front : std::span(fronts_.data(), count_)) {
    front.place.clear();
    front.parent = -1;
    if (front.size == front.pivots) continue;
    // The first to be eliminated of those that remain.
    front.parent = std::numeric_limits<int>::max();
    for (int i = front.pivots; i < front.size; ++i) {
      front.parent = std::min(front.parent, front_of_[at(front.row[at(i)] / 3)]);
    }
    const Front& parent = fronts_[at(front.parent)];
    for (int i = 0; i < parent.size; ++i) place_[at(parent.row[at(i)])] = i;
    for (int i = front.pivots; i < front.size; ++i) {
      front.place.push_back(place_[at(front.row[at(i)])]);
    }
  }
}

}  // namespace grouser::internal
