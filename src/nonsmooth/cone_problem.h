#pragma once

#include <span>
#include <vector>

#include "math/spatial.h"

namespace grouser::internal {

/// What the impulse r of a block may be, given its velocity u.
enum class BlockKind {
  cone,        ///< three rows (normal, tangent, tangent): unilateral contact with Coulomb friction
  bilateral,   ///< one row: u = 0, r free
  unilateral,  ///< one row: 0 <= u ⊥ r >= 0
  box,         ///< one row: lower <= r <= upper; u = 0 inside, u >= 0 at lower, u <= 0 at upper
  disk,        ///< two rows: |r| <= upper; u = 0 inside, u against r on the rim
};

constexpr int rows_of(BlockKind kind) {
  return kind == BlockKind::cone ? 3 : kind == BlockKind::disk ? 2 : 1;
}

struct ConeBlock {
  BlockKind kind = BlockKind::cone;
  int row = 0;       ///< first row
  double mu = 0;     ///< cone: coefficient of friction [-], >= 0
  double lower = 0;  ///< box: least impulse [N s]
  double upper = 0;  ///< box, disk: greatest impulse [N s], >= lower
};

/// Symmetric matrix, all of it stored, by rows; dense or sparse. Memory is kept when it is filled anew.
struct ConeMatrix {
  int size = 0;
  std::vector<double>
      value;                ///< dense: size × size numbers; sparse: one for each entry of `column`
  std::vector<int> start;   ///< sparse: entries of row i are start[i] ... start[i + 1] - 1
  std::vector<int> column;  ///< sparse: ascending in each row

  bool is_dense() const { return start.empty(); }
  /// Makes it a dense matrix of zeros.
  void set_dense(int rows);
  Eigen::Map<MatX> dense() { return {value.data(), size, size}; }
  Eigen::Map<const MatX> dense() const { return {value.data(), size, size}; }
  /// Row `i` times x.
  double row_times(int i, const double* x) const;
  double operator()(int i, int j) const;
  double& diagonal(int i);
  /// Becomes those rows and columns of `W`, ascending. `place` is working memory.
  void set_part(const ConeMatrix& W, std::span<const int> rows, std::vector<int>& place);
};

/// One-step contact problem: impulses r and velocities u = W r + q such that every block obeys its law. For
/// a cone block K* ∋ u + (μ|u_T|, 0, 0) ⊥ r ∈ K, with K = {|r_T| <= μ r_N}: De Saxcé's form of Signorini's
/// and Coulomb's laws. W = H M⁻¹ Hᵀ is symmetric positive semidefinite; it may be singular.
struct ConeProblem {
  std::vector<ConeBlock> blocks;  ///< in the order of their rows, without gaps
  ConeMatrix W;                   ///< [1/kg]
  std::vector<double> q;          ///< velocity without impulses [m/s]

  int rows() const { return W.size; }
  /// Forgets the blocks, keeps the memory. Then add blocks, fill W and q.
  void clear_blocks() { blocks.clear(); }
  /// Each appends a block and gives its first row.
  int add_cone(double mu);
  int add_bilateral();
  int add_unilateral();
  int add_box(double lower, double upper);
  int add_disk(double most);
};

/// Throws Error(input) naming the first thing wrong: sizes, order of blocks, signs, numbers that are not
/// finite, a W that is not symmetric to 1e-12 of its largest entry or has a negative diagonal.
void validate(const ConeProblem& problem);

/// How far r is from a solution [-]: the natural map of all blocks, |λ (r - P(r - û / λ))| over |q|. P is
/// the projection on the block's admissible impulses, û = u + (μ|u_T|, 0, 0) for a cone and u else, and λ the
/// mean of the block's diagonal of W. With this choice the number has the unit of q before it is
/// divided, and does not change if masses, times or lengths are stated in other units.
/// If q is zero, so is the solution, and the number is not divided.
double cone_residual(const ConeProblem& problem, std::span<const double> r);

/// The same with one λ = 1 / rho [kg] for all blocks, not multiplied by λ: |r - P(r - ρ û)| / |q|. The
/// measure of other programs (Siconos, FCLIB: ρ = 1), which depends on units.
double cone_residual(const ConeProblem& problem, std::span<const double> r, double rho);

}  // namespace grouser::internal
