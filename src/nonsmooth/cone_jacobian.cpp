#include "nonsmooth/cone_jacobian.h"
#include "core/index.h"

#include "nonsmooth/dense_lu.h"

namespace grouser::internal {
void ConeJacobian::set_cone(const ScaledCone& cone) {
  cone_ = &cone;
  analyzed_ = false;
  place_.resize(at(cone.rows()));
  exchanged_.resize(at(cone.rows()));
}

bool ConeJacobian::factor(std::span<const char> active, std::span<const Mat3> E,
                          std::span<const Mat3> D) {
  if (cone_->is_dense()) {
    list_rows(active);
    fronts_ = {&whole_, 1};
  } else {
    tree_.analyze(*cone_, active, analyzed_);
    analyzed_ = true;
    fronts_ = tree_.fronts();
  }
  offset_.clear();
  std::size_t total = 0;
  for (const Front& front : fronts_) {
    offset_.push_back(total);
    total += at(front.size) * at(front.size);
  }
  if (cone_->is_dense()) {
    value_.resize(total);
    fill_dense(E, D);
  } else {
    value_.assign(total, 0.0);
  }
  std::size_t pivot = 0;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    if (!cone_->is_dense()) fill_front(front, static_cast<int>(f), E, D);
    double* const a = value_.data() + offset_[f];
    if (!eliminate(a, front.size, front.size, front.pivots, exchanged_.data() + pivot))
      return false;
    pivot += at(front.pivots);
    if (front.parent < 0) continue;
    const int size = fronts_[at(front.parent)].size;
    double* const parent = value_.data() + offset_[at(front.parent)];
    for (std::size_t j = 0; j < front.place.size(); ++j) {
      double* const to = parent + at(front.place[j]) * at(size);
      const double* const from = a + (at(front.pivots) + j) * at(front.size) + front.pivots;
      for (std::size_t i = 0; i < front.place.size(); ++i) to[front.place[i]] += from[i];
    }
  }
  return true;
}

void ConeJacobian::list_rows(std::span<const char> active) {
  whole_.row.clear();
  for (int b = 0; b < cone_->size(); ++b) {
    if (!active[at(b)]) continue;
    for (int k = 0; k < rows_of(cone_->block(b).kind); ++k) whole_.row.push_back(3 * b + k);
  }
  whole_.size = whole_.pivots = static_cast<int>(whole_.row.size());
}

void ConeJacobian::fill_dense(std::span<const Mat3> E, std::span<const Mat3> D) {
  const int n = whole_.size, rows = cone_->rows();
  const double* const W = cone_->dense().data();
  for (int i = 0; i < n;) {
    const int row = whole_.row[at(i)], b = row / 3;
    const Mat3& d = D[at(b)];
    double* const to = value_.data() + i;
    const int mine = rows_of(cone_->block(b).kind);
    const bool is_plain = mine == 3 && d == Mat3::Identity();
    for (int j = 0; j < n; ++j) {
      // Rows that a block does not use are zero.
      const double* const w = W + at(whole_.row[at(j)]) * at(rows) + row;
      double* const t = to + at(j) * at(n);
      if (is_plain) {
        t[0] = w[0];
        t[1] = w[1];
        t[2] = w[2];
        continue;
      }
      for (int k = 0; k < mine; ++k) t[k] = d(k, 0) * w[0] + d(k, 1) * w[1] + d(k, 2) * w[2];
    }
    for (int l = 0; l < mine; ++l) {
      for (int k = 0; k < mine; ++k) to[at(i + l) * at(n) + at(k)] += E[at(b)](k, l);
    }
    i += mine;
  }
}

/// Adds the rows and columns of the front's pivots; what its children left is there already.
void ConeJacobian::fill_front(const Front& front, int index, std::span<const Mat3> E,
                              std::span<const Mat3> D) {
  double* const a = value_.data() + offset_[at(index)];
  for (int i = 0; i < front.size; ++i) place_[at(front.row[at(i)])] = i;
  const auto add = [&](int b, int c, const Mat3& J) {
    const int columns = rows_of(cone_->block(c).kind), rows = rows_of(cone_->block(b).kind);
    const int first = place_[at(3 * b)];
    for (int l = 0; l < columns; ++l) {
      double* const to = a + at(place_[at(3 * c + l)]) * at(front.size) + first;
      for (int k = 0; k < rows; ++k) to[k] += J(k, l);
    }
  };
  for (int i = 0; i < front.pivots;) {
    const int b = front.row[at(i)] / 3;
    i += rows_of(cone_->block(b).kind);
    add(b, b, E[at(b)]);
    const std::span<const int> neighbours = cone_->neighbours(b);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const int c = neighbours[k], other = tree_.front_of(c);
      if (other < index) continue;  // not active, or eliminated before
      const Mat3 W = cone_->entry(b, static_cast<int>(k));
      add(b, c, D[at(b)] * W);
      if (other > index) add(c, b, D[at(c)] * W.transpose());
    }
  }
}

void ConeJacobian::solve(double* x) {
  std::size_t pivot = 0;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    x_.resize(at(front.size));
    for (int i = 0; i < front.size; ++i) x_[at(i)] = x[front.row[at(i)]];
    forward_solve(value_.data() + offset_[f], front.size, front.size, front.pivots,
                  exchanged_.data() + pivot, x_.data());
    for (int i = 0; i < front.size; ++i) x[front.row[at(i)]] = x_[at(i)];
    pivot += at(front.pivots);
  }
  for (std::size_t f = fronts_.size(); f-- > 0;) {
    const Front& front = fronts_[f];
    x_.resize(at(front.size));
    for (int i = 0; i < front.size; ++i) x_[at(i)] = x[front.row[at(i)]];
    backward_solve(value_.data() + offset_[f], front.size, front.size, front.pivots, x_.data());
    for (int i = 0; i < front.pivots; ++i) x[front.row[at(i)]] = x_[at(i)];
  }
}

}  // namespace grouser::internal
