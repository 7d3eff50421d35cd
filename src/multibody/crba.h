#pragma once

#include <vector>

#include "multibody/kinematics.h"

namespace grouser::internal {

/// Joint-space mass matrix and its factor, stored along the tree: row i holds only the columns of
/// dof i and its ancestors, because all others are zero (branch-induced sparsity). Memory and work
/// grow with the depth of the trees, not with the square of the number of velocities.
class MassMatrix {
 public:
  explicit MassMatrix(const Model& model);

  int size() const { return static_cast<int>(begin_.size()) - 1; }
  /// Entry (i, j) of the unfactored matrix.
  double operator()(int i, int j) const;
  MatX dense() const;

  /// Row of dof i: columns ancestors(i), root first, i last.
  std::span<double> row(int i);
  std::span<const double> row(int i) const;
  std::span<const int> ancestors(int i) const;

  /// Replaces the matrix by its factors LᵀDL; prescribed velocities are left out (unit rows).
  /// Featherstone (2008), table 6.3.
  void factorize(const Model& model);
  /// x ← M⁻¹ x with the factor; prescribed velocities give zero. Zeros in x cost nothing, so that
  /// a column of Jᵀ is cheap.
  void solve(double* x) const;
  /// M⁻¹ = Aᵀ A. First half for one column: x ← A x, given and returned on ancestors(dof) alone, where all
  /// of it stays. Prescribed velocities give zero.
  template <class Number>
  void solve_half(int dof, Number* x) const;
  /// The same of all velocities.
  void solve_half(double* x) const;
  /// Second half: x ← Aᵀ x of all velocities.
  void solve_other_half(double* x) const;
  /// Velocities that move no mass: after crba(), before factorize(). Factors copies.
  std::vector<int> massless_dofs(const Model& model) const;

  std::vector<SpatialInertia> composite;  ///< scratch of crba()
  std::vector<SpatialMatrix> stiff;       ///< scratch of crba()

 private:
  void leave_out(int dof);  // zero row and column, unit diagonal

  std::vector<int> begin_;      // row i is values_[begin_[i] .. begin_[i + 1])
  std::vector<int> ancestors_;  // columns, parallel to values_
  std::vector<double> values_;
  std::vector<double> inverse_diagonal_;
  std::vector<double> inverse_root_;  // square roots of those
  std::vector<char> prescribed_;
};

template <class Number>
void MassMatrix::solve_half(int dof, Number* x) const {
  const std::span<const int> chain = ancestors(dof);
  for (std::size_t a = chain.size(); a-- > 0;) {
    const std::size_t i = static_cast<std::size_t>(chain[a]);
    if (prescribed_[i]) x[a] = Number{};
    const double* L = values_.data() + begin_[i];  // its ancestors are the first a of ours
    for (std::size_t c = 0; c < a; ++c) x[c] -= L[c] * x[a];
    x[a] *= inverse_root_[i];
  }
}

/// Composite rigid body algorithm: the mass matrix at the position of `kinematics`, armature
/// included. Featherstone (2008), table 6.2.
void crba(const Model& model, const Kinematics& kinematics, MassMatrix& M);

/// The same plus Σ Jᵀ D J over bodies, D being symmetric matrices about O per body, such as dampers between
/// bodies and the world would give: an implicit step adds these to the mass.
void crba(const Model& model, const Kinematics& kinematics, std::span<const SpatialMatrix> D,
          MassMatrix& M);

}  // namespace grouser::internal
