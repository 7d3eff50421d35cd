#include "multibody/crba.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

MassMatrix::MassMatrix(const Model& model) : prescribed_(model.prescribed()) {
  const int n = model.velocity_size();
  begin_.push_back(0);
  for (int i = 0; i < n; ++i) {
    const int above = model.dof_parent()[static_cast<std::size_t>(i)];
    if (above >= 0) {
      const std::span<const int> chain = ancestors(above);
      const std::vector<int> copy(chain.begin(), chain.end());
      ancestors_.insert(ancestors_.end(), copy.begin(), copy.end());
    }
    ancestors_.push_back(i);
    begin_.push_back(static_cast<int>(ancestors_.size()));
  }
  values_.resize(ancestors_.size());
  inverse_diagonal_.resize(static_cast<std::size_t>(n));
  inverse_root_.resize(static_cast<std::size_t>(n));
  composite.reserve(static_cast<std::size_t>(model.body_count()));
}

std::span<double> MassMatrix::row(int i) {
  const std::size_t k = static_cast<std::size_t>(i);
  return {values_.data() + begin_[k], values_.data() + begin_[k + 1]};
}

std::span<const double> MassMatrix::row(int i) const {
  const std::size_t k = static_cast<std::size_t>(i);
  return {values_.data() + begin_[k], values_.data() + begin_[k + 1]};
}

std::span<const int> MassMatrix::ancestors(int i) const {
  const std::size_t k = static_cast<std::size_t>(i);
  return {ancestors_.data() + begin_[k], ancestors_.data() + begin_[k + 1]};
}

double MassMatrix::operator()(int i, int j) const {
  if (i < j) std::swap(i, j);
  const std::span<const int> columns = ancestors(i);
  const auto found = std::lower_bound(columns.begin(), columns.end(), j);
  if (found == columns.end() || *found != j) return 0;
  return row(i)[static_cast<std::size_t>(found - columns.begin())];
}

MatX MassMatrix::dense() const {
  MatX M(size(), size());
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j < size(); ++j) M(i, j) = (*this)(i, j);
  }
  return M;
}

void MassMatrix::factorize(const Model& model) {
  if (model.has_prescribed()) {
    for (int i = 0; i < size(); ++i) {
      const std::span<const int> columns = ancestors(i);
      const std::span<double> values = row(i);
      const bool whole_row = prescribed_[static_cast<std::size_t>(i)] != 0;
      for (std::size_t a = 0; a < columns.size(); ++a) {
        if (whole_row || prescribed_[static_cast<std::size_t>(columns[a])]) values[a] = 0;
      }
      if (whole_row) values.back() = 1;
    }
  }
  for (int k = size() - 1; k >= 0; --k) {
    const std::span<const int> columns = ancestors(k);
    const std::span<double> row_k = row(k);
    const double inverse = 1 / row_k.back();
    inverse_diagonal_[static_cast<std::size_t>(k)] = inverse;
    inverse_root_[static_cast<std::size_t>(k)] = std::sqrt(inverse);
    for (std::size_t a = row_k.size() - 1; a-- > 0;) {
      const double factor = row_k[a] * inverse;
      if (factor == 0) continue;
      // The ancestors of dof columns[a] are the first a + 1 of ours.
      const std::span<double> row_i = row(columns[a]);
      for (std::size_t c = 0; c <= a; ++c) row_i[c] -= factor * row_k[c];
      row_k[a] = factor;
    }
  }
}

void MassMatrix::solve(double* x) const {
  const int n = size();
  for (int i = n - 1; i >= 0; --i) {
    if (prescribed_[static_cast<std::size_t>(i)]) x[i] = 0;
    if (x[i] == 0) continue;
    const std::span<const int> columns = ancestors(i);
    const std::span<const double> L = row(i);
    for (std::size_t a = 0; a + 1 < L.size(); ++a) x[columns[a]] -= L[a] * x[i];
  }
  for (int i = 0; i < n; ++i) {
    const std::span<const int> columns = ancestors(i);
    const std::span<const double> L = row(i);
    double sum = x[i] * inverse_diagonal_[static_cast<std::size_t>(i)];
    for (std::size_t a = 0; a + 1 < L.size(); ++a) sum -= L[a] * x[columns[a]];
    x[i] = sum;
  }
}

void MassMatrix::solve_half(double* x) const {
  for (int i = size() - 1; i >= 0; --i) {
    if (prescribed_[static_cast<std::size_t>(i)]) x[i] = 0;
    if (x[i] == 0) continue;
    const std::span<const int> columns = ancestors(i);
    const std::span<const double> L = row(i);
    for (std::size_t a = 0; a + 1 < L.size(); ++a) x[columns[a]] -= L[a] * x[i];
    x[i] *= inverse_root_[static_cast<std::size_t>(i)];
  }
}

void MassMatrix::solve_other_half(double* x) const {
  for (int i = 0; i < size(); ++i) {
    const std::span<const int> columns = ancestors(i);
    const std::span<const double> L = row(i);
    double sum = x[i] * inverse_root_[static_cast<std::size_t>(i)];
    for (std::size_t a = 0; a + 1 < L.size(); ++a) sum -= L[a] * x[columns[a]];
    x[i] = sum;
  }
}

std::vector<int> MassMatrix::massless_dofs(const Model& model) const {
  // Rounding leaves about 1e-16 of the entries that cancel; real rovers stay above 1e-9.
  constexpr double kSingular = 1e-13;
  std::vector<int> found;
  MassMatrix rest = *this, factor = *this;
  factor.factorize(model);
  // From the leaves to the roots; a pivot of zero spoils those above it, so it is taken out.
  for (int i = size() - 1; i >= 0; --i) {
    if (prescribed_[static_cast<std::size_t>(i)]) continue;
    const double before = row(i).back(), after = factor.row(i).back();
    if (before > 0 && after > kSingular * before) continue;
    found.insert(found.begin(), i);
    rest.leave_out(i);
    factor = rest;
    factor.factorize(model);
  }
  return found;
}

void MassMatrix::leave_out(int dof) {
  for (int i = dof; i < size(); ++i) {
    const std::span<const int> columns = ancestors(i);
    for (std::size_t a = 0; a < columns.size(); ++a) {
      if (i == dof || columns[a] == dof) row(i)[a] = 0;
    }
  }
  row(dof).back() = 1;
}

namespace {

/// Row of a velocity: what a unit rate takes of everything beyond its joint.
void fill_row(const Model& model, const Kinematics& kinematics, int dof, const Spatial& F,
              MassMatrix& M) {
  const std::span<const int> columns = M.ancestors(dof);
  const std::span<double> row = M.row(dof);
  for (std::size_t a = 0; a < columns.size(); ++a) {
    row[a] = dot(F, kinematics.S[static_cast<std::size_t>(columns[a])]);
  }
  row.back() += model.laws()[static_cast<std::size_t>(dof)].armature;
}

/// From the inertias of single bodies, which become those of everything beyond each joint; about one point O
/// they simply add.
template <class Inertia>
void fill_rows(const Model& model, const Kinematics& kinematics, std::vector<Inertia>& composite,
               MassMatrix& M) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const std::size_t b = static_cast<std::size_t>(i);
    const Joint& joint = model.joints()[b];
    for (int k = joint.nv - 1; k >= 0; --k) {
      const int dof = joint.v + k;
      const Spatial F = composite[b] * kinematics.S[static_cast<std::size_t>(dof)];
      fill_row(model, kinematics, dof, F, M);
    }
    if (joint.parent != kWorld) composite[static_cast<std::size_t>(joint.parent)] += composite[b];
  }
}

}  // namespace

void crba(const Model& model, const Kinematics& kinematics, MassMatrix& M) {
  M.composite.assign(kinematics.I.begin(), kinematics.I.end());
  fill_rows(model, kinematics, M.composite, M);
}

void crba(const Model& model, const Kinematics& kinematics, std::span<const SpatialMatrix> D,
          MassMatrix& M) {
  M.stiff.assign(D.begin(), D.end());
  for (std::size_t b = 0; b < M.stiff.size(); ++b) M.stiff[b] += to_matrix(kinematics.I[b]);
  fill_rows(model, kinematics, M.stiff, M);
}

}  // namespace grouser::internal
