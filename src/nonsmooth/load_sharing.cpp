#include "nonsmooth/load_sharing.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

void LoadSharing::begin(std::size_t contacts) {
  load_.clear();
  least_.clear();
  load_.reserve(contacts);
  least_.reserve(contacts);
  W_.resize(contacts * contacts);
}

void LoadSharing::add(double load, double least) {
  load_.push_back(load);
  least_.push_back(std::min(least, load));
}

/// Columns of L, orthonormal, span what free contacts do to the bodies; gives their number. Cholesky with
/// diagonal pivoting stops where the other rows depend on those it has.
std::size_t LoadSharing::find_range() {
  constexpr double kDependent = 1e-10;  // of a row's diagonal
  const std::size_t n = free_.size(), all = load_.size();
  L_.resize(n * n);
  left_.resize(n);
  for (std::size_t i = 0; i < n; ++i) left_[i] = W_[free_[i] * all + free_[i]];
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t pivot = 0;
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double part = left_[i] / W_[free_[i] * all + free_[i]];
      if (part > most) most = part, pivot = i;
    }
    if (!(most > kDependent)) break;
    double* const column = L_.data() + rank * n;
    const double scale = 1 / std::sqrt(left_[pivot]);
    for (std::size_t i = 0; i < n; ++i) column[i] = W_[free_[i] * all + free_[pivot]];
    for (std::size_t k = 0; k < rank; ++k) {
      const double* const other = L_.data() + k * n;
      for (std::size_t i = 0; i < n; ++i) column[i] -= other[pivot] * other[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      column[i] *= scale;
      left_[i] -= column[i] * column[i];
    }
    left_[pivot] = 0;
  }
  for (std::size_t k = 0; k < rank; ++k) {
    double* const column = L_.data() + k * n;
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) square += column[i] * column[i];
    for (std::size_t i = 0; i < n; ++i) column[i] /= std::sqrt(square);
    for (std::size_t j = k + 1; j < rank; ++j) {
      double* const later = L_.data() + j * n;
      double common = 0;
      for (std::size_t i = 0; i < n; ++i) common += column[i] * later[i];
      for (std::size_t i = 0; i < n; ++i) later[i] -= common * column[i];
    }
  }
  return rank;
}

/// The change that leads free contacts to the smallest sum of squares: their load without its part in the range of
/// W, reversed. False if nothing can change.
bool LoadSharing::find_change() {
  const std::size_t n = free_.size(), rank = find_range();
  if (rank == n) return false;
  change_.resize(n);
  for (std::size_t i = 0; i < n; ++i) change_[i] = -load_[free_[i]];
  for (int pass = 0; pass < 2; ++pass) {  // the second takes away what rounding has left
    for (std::size_t k = 0; k < rank; ++k) {
      const double* const column = L_.data() + k * n;
      double part = 0;
      for (std::size_t i = 0; i < n; ++i) part += column[i] * change_[i];
      for (std::size_t i = 0; i < n; ++i) change_[i] -= part * column[i];
    }
  }
  return true;
}

/// How much of the change the first bound admits, at most all, and whose bound that is.
double LoadSharing::reach(std::size_t& blocked) const {
  double most = 1;
  blocked = free_.size();
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const double room = load_[free_[i]] - least_[free_[i]];
    if (!(room + most * change_[i] < 0)) continue;
    most = std::max(0.0, room / -change_[i]);
    blocked = i;
  }
  return most;
}

void LoadSharing::share() {
  free_.clear();
  for (std::size_t i = 0; i < load_.size(); ++i) {
    if (W_[i * load_.size() + i] > 0) free_.push_back(i);
  }
  while (free_.size() > 1 && find_change()) {
    std::size_t blocked = 0;
    const double most = reach(blocked);
    for (std::size_t i = 0; i < free_.size(); ++i) load_[free_[i]] += most * change_[i];
    if (blocked == free_.size()) break;
    load_[free_[blocked]] = least_[free_[blocked]];
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(blocked));
  }
}

}  // namespace grouser::internal
