#pragma once

#include <span>
#include <vector>

#include "math/pivoted_cholesky.h"
#include "multibody/crba.h"
#include "multibody/loops.h"
#include "nonsmooth/cone_problem.h"

namespace grouser::internal {

/// Axes of a contact in W: the normal and two tangents.
struct ContactAxes {
  Vec3 normal, first, second;
};

/// Right-handed axes; the same bits for the same normal (unit).
ContactAxes contact_axes(const Vec3& normal);

/// Rows of relative velocity u = H v, in blocks: three per contact, one per joint coordinate.
///
/// With M⁻¹ = AᵀA (MassMatrix), W = H M⁻¹ Hᵀ = YᵀY of Y = A Hᵀ. A row only moves the ancestors of its body,
/// and so does A: columns of Y are as short as the way from the body to the root, and two blocks meet in
/// their common ancestors. W is symmetric to the bit. Loops are taken out of Y beforehand: what is left of
/// a column is what the closed mechanism can do, so that loops never are rows of a problem.
class VelocityRows {
 public:
  explicit VelocityRows(const Model& model);

  /// Begins anew. `factor` is factored; `loops` at the same position. All must outlive the rows.
  void begin(const Kinematics& kinematics, const MassMatrix& factor, const LoopEquations& loops);

  /// Velocity of body a at p_Wa against body b at p_Wb, in the axes; either body may be kWorld.
  void add_contact(int a, int b, const Vec3& p_Wa, const Vec3& p_Wb, const ContactAxes& axes);
  /// Two rows: angular velocity of body a against body b along the tangents.
  void add_rolling(int a, int b, const ContactAxes& axes);
  /// One row: the power of `load`, a wrench at p_W (axes of W), on that velocity.
  void add_load(int a, int b, const Vec3& p_W, const Wrench& load);
  /// Rate of a joint coordinate, times a sign.
  void add_dof(int dof, double sign = 1);
  int block_count() const { return static_cast<int>(blocks_.size()); }

  /// u of a block: (normal, tangent, tangent), or the rate first.
  Vec3 velocity(int block, const double* v) const;
  /// W of blocks that are rows of the problem just in this order, each with as many rows as its kind has.
  void fill(ConeMatrix& W);
  /// v += M⁻¹ Hᵀ r, the impulses r in the order of the rows.
  void add_velocity(const double* r, double* v);
  /// v of free motion is made to obey the loops.
  void close_loops(double* v);

 private:
  struct Side {
    int group = -1;  // nothing
    int dof = -1;    // on ancestors(dof); -1: on all velocities of the group
    int first = 0;   // of its columns
  };
  struct Block {
    int row = 0, rows = 0;
    Side sides[2];
  };

  std::span<const int> dofs(const Side& side) const;
  template <class Rows>
  void add_block(int a, int b, const Vec3& p_Wa, const Vec3& p_Wb, int count, const Rows& rows);
  template <class Rows>
  void add_side(int body, double sign, const Vec3& p_W, const Rows& rows, Side& side);
  void finish_side(const Side& side);
  Side make_side(int group, int dof, bool whole);
  int local(int dof) const { return local_of_dof_[static_cast<std::size_t>(dof)]; }
  void product(const Block& i, const Block& j, Lane4* out) const;
  void meet(const Side& s, const Side& t, Lane4* out) const;
  void fill_dense(ConeMatrix& W) const;
  void fill_sparse(ConeMatrix& W);
  void take_out_loops(const Side& side);

  const Model& model_;
  const Kinematics* kinematics_ = nullptr;
  const MassMatrix* factor_ = nullptr;
  const LoopEquations* loops_ = nullptr;
  std::vector<int> group_of_tree_;            // trees joined by loops are one group
  std::vector<char> has_loops_;               // per group
  std::vector<std::vector<int>> group_dofs_;  // ascending
  std::vector<int> local_of_dof_;             // place in its group
  std::vector<Block> blocks_;
  std::vector<Lane4> J_, Y_;  // columns of all sides: (normal, tangent, tangent, 0) per velocity
  int rows_ = 0;
  MatX Y_loops_, loop_gram_;
  PivotedCholesky loop_factor_;
  VecX loop_work_, velocity_work_;
  std::vector<std::vector<int>> blocks_of_group_;
  std::vector<int> neighbours_;
};

}  // namespace grouser::internal
