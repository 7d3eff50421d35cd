#pragma once

#include <span>
#include <vector>

namespace grouser::internal {

/// Of all normal impulses that push the bodies alike, finds those of contacts that give way equally and very
/// little: the smallest sum of squares, each at least `least`. Rigid bodies do not say how a table with four legs
/// stands on them; equal springs under its legs do, however stiff.
/// Keeps its working memory; for one thread.
class LoadSharing {
 public:
  /// Removes all contacts and makes room for at most `contacts`.
  void begin(std::size_t contacts);
  /// `load` is the normal impulse now, `least` what it must be at least, for friction's sake [N s].
  void add(double load, double least);
  std::size_t size() const { return load_.size(); }
  /// Entry of W = H M⁻¹ Hᵀ of the normal rows, by contacts as they were added [1/kg]. All must be set.
  void set_mobility(std::size_t i, std::size_t j, double value) {
    W_[i * load_.size() + j] = value;
  }
  /// Shares the load out; W load does not change.
  void share();
  double load(std::size_t i) const { return load_[i]; }

 private:
  bool find_change();
  std::size_t find_range();
  double reach(std::size_t& blocked) const;

  std::vector<double> W_, load_, least_, change_;
  std::vector<double> L_, left_;   // W = L Lᵀ by columns; what is left of the diagonal
  std::vector<std::size_t> free_;  // contacts whose load may change
};

}  // namespace grouser::internal
