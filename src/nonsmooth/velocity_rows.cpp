#include "nonsmooth/velocity_rows.h"

#include <algorithm>
#include <numeric>

#include "core/index.h"
#include "multibody/jacobian.h"

namespace grouser::internal {
namespace {

/// Larger problems are stored sparse.
constexpr int kDenseRows = 180;

/// Trees that loops hold together, each named by its first tree.
std::vector<int> trees_joined_by_loops(const Model& model) {
  std::vector<int> first(at(model.tree_count()));
  std::iota(first.begin(), first.end(), 0);
  const auto find = [&](int t) {
    while (first[at(t)] != t) t = first[at(t)];
    return t;
  };
  const auto join = [&](int a, int b) {
    a = find(a), b = find(b);
    first[at(std::max(a, b))] = std::min(a, b);
  };
  const auto join_bodies = [&](int a, int b) {
    if (a != kWorld && b != kWorld) join(model.joints()[at(a)].tree, model.joints()[at(b)].tree);
  };
  struct Visitor {
    const Model& model;
    const decltype(join_bodies)& join;
    void operator()(const BallLoop& l) const { join(l.a.body, l.b.body); }
    void operator()(const HingeLoop& l) const { join(l.a.body, l.b.body); }
    void operator()(const DistanceLoop& l) const { join(l.a.body, l.b.body); }
    void operator()(const CouplingLoop& l) const {
      const int body = model.joint_of_dof(l.terms.front().dof);
      for (const CouplingLoop::Term& term : l.terms) join(body, model.joint_of_dof(term.dof));
    }
  };
  for (const Loop& loop : model.loops()) std::visit(Visitor{model, join_bodies}, loop.law);
  for (int t = 0; t < model.tree_count(); ++t) first[at(t)] = find(t);
  return first;
}

}  // namespace

ContactAxes contact_axes(const Vec3& normal) {
  // The coordinate axis that is farthest from the normal; ties go to the first.
  Eigen::Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  const Vec3 first = normal.cross(Vec3::Unit(least)).normalized();
  return {normal, first, normal.cross(first)};
}

VelocityRows::VelocityRows(const Model& model)
    : model_(model),
      group_of_tree_(trees_joined_by_loops(model)),
      Y_loops_(model.velocity_size(), model.loop_row_count()),
      loop_gram_(model.loop_row_count(), model.loop_row_count()),
      loop_factor_(model.loop_row_count()),
      loop_work_(VecX::Zero(model.loop_row_count())),
      velocity_work_(VecX::Zero(model.velocity_size())) {
  group_dofs_.resize(at(model.tree_count()));
  has_loops_.resize(at(model.tree_count()));
  blocks_of_group_.resize(at(model.tree_count()));
  local_of_dof_.resize(at(model.velocity_size()));
  for (int dof = 0; dof < model.velocity_size(); ++dof) {
    const int tree = model.joints()[at(model.joint_of_dof(dof))].tree;
    std::vector<int>& dofs = group_dofs_[at(group_of_tree_[at(tree)])];
    local_of_dof_[at(dof)] = static_cast<int>(dofs.size());
    dofs.push_back(dof);
  }
}

void VelocityRows::begin(const Kinematics& kinematics, const MassMatrix& factor,
                         const LoopEquations& loops) {
  kinematics_ = &kinematics;
  factor_ = &factor;
  loops_ = &loops;
  blocks_.clear();
  J_.clear();
  Y_.clear();
  rows_ = 0;
  if (loops.J.cols() == 0) return;
  std::ranges::fill(has_loops_, 0);
  Y_loops_ = loops.J;
  for (Eigen::Index r = 0; r < Y_loops_.cols(); ++r) {
    for (Eigen::Index d = 0; d < Y_loops_.rows(); ++d) {
      if (Y_loops_(d, r) == 0) continue;
      const int tree = model_.joints()[at(model_.joint_of_dof(static_cast<int>(d)))].tree;
      has_loops_[at(group_of_tree_[at(tree)])] = 1;
    }
    factor.solve_half(Y_loops_.col(r).data());
  }
  loop_gram_.noalias() = Y_loops_.transpose().lazyProduct(Y_loops_);
  loop_factor_.compute(loop_gram_);
}

std::span<const int> VelocityRows::dofs(const Side& side) const {
  return side.dof < 0 ? std::span<const int>(group_dofs_[at(side.group)])
                      : factor_->ancestors(side.dof);
}

VelocityRows::Side VelocityRows::make_side(int group, int dof, bool whole) {
  Side side{.group = group,
            .dof = whole || has_loops_[at(group)] ? -1 : dof,
            .first = static_cast<int>(J_.size())};
  J_.resize(J_.size() + dofs(side).size());
  return side;
}

/// rows(twist) are the velocities of the block's rows for a twist at p_W.
template <class Rows>
void VelocityRows::add_side(int body, double sign, const Vec3& p_W, const Rows& rows, Side& side) {
  Lane4* columns = J_.data() + side.first;
  const bool whole = side.dof < 0;
  std::size_t place = dofs(side).size();
  for_each_jacobian_column(model_, *kinematics_, body, p_W, [&](int dof, const Twist& twist) {
    const std::size_t k = whole ? at(local(dof)) : --place;
    columns[k] += sign * rows(twist);
  });
}

void VelocityRows::take_out_loops(const Side& side) {
  Lane4* Y = Y_.data() + side.first;
  const std::vector<int>& dofs = group_dofs_[at(side.group)];
  for (int c = 0; c < 3; ++c) {
    loop_work_.setZero();
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      loop_work_ += Y[k][c] * Y_loops_.row(dofs[k]).transpose();
    }
    loop_factor_.solve(loop_work_);
    for (std::size_t k = 0; k < dofs.size(); ++k) Y[k][c] -= Y_loops_.row(dofs[k]).dot(loop_work_);
  }
}

void VelocityRows::finish_side(const Side& side) {
  const std::size_t first = at(side.first);
  Y_.resize(J_.size());
  std::copy(J_.begin() + side.first, J_.end(), Y_.begin() + side.first);
  if (side.dof >= 0) {
    factor_->solve_half(side.dof, Y_.data() + first);
    return;
  }
  const std::span<const int> dofs = this->dofs(side);
  for (int c = 0; c < 3; ++c) {
    velocity_work_.setZero();
    for (std::size_t k = 0; k < dofs.size(); ++k) velocity_work_[dofs[k]] = Y_[first + k][c];
    factor_->solve_half(velocity_work_.data());
    for (std::size_t k = 0; k < dofs.size(); ++k) Y_[first + k][c] = velocity_work_[dofs[k]];
  }
  if (has_loops_[at(side.group)]) take_out_loops(side);
}

template <class Rows>
void VelocityRows::add_block(int a, int b, const Vec3& p_Wa, const Vec3& p_Wb, int count,
                             const Rows& rows) {
  Block block{.row = rows_, .rows = count};
  const auto last_dof = [&](int body) {
    for (; body != kWorld; body = model_.joints()[at(body)].parent) {
      const Joint& joint = model_.joints()[at(body)];
      if (joint.nv > 0) return joint.v + joint.nv - 1;
    }
    return -1;
  };
  const auto group = [&](int body) { return group_of_tree_[at(model_.joints()[at(body)].tree)]; };
  const int dof_a = last_dof(a), dof_b = last_dof(b);
  if (dof_a >= 0 && dof_b >= 0 && group(a) == group(b)) {
    block.sides[0] = make_side(group(a), dof_a, true);
    add_side(a, 1, p_Wa, rows, block.sides[0]);
    add_side(b, -1, p_Wb, rows, block.sides[0]);
    finish_side(block.sides[0]);
  } else {
    const int bodies[2] = {a, b}, ends[2] = {dof_a, dof_b};
    for (int s = 0; s < 2; ++s) {
      if (ends[s] < 0) continue;
      block.sides[s] = make_side(group(bodies[s]), ends[s], false);
      add_side(bodies[s], s == 0 ? 1 : -1, s == 0 ? p_Wa : p_Wb, rows, block.sides[s]);
      finish_side(block.sides[s]);
    }
  }
  rows_ += block.rows;
  blocks_.push_back(block);
}

void VelocityRows::add_contact(int a, int b, const Vec3& p_Wa, const Vec3& p_Wb,
                               const ContactAxes& axes) {
  add_block(a, b, p_Wa, p_Wb, 3, [&](const Twist& twist) {
    return Lane4{axes.normal.dot(twist.linear), axes.first.dot(twist.linear),
                 axes.second.dot(twist.linear), 0};
  });
}

void VelocityRows::add_rolling(int a, int b, const ContactAxes& axes) {
  add_block(a, b, Vec3::Zero(), Vec3::Zero(), 2, [&](const Twist& twist) {
    return Lane4{axes.first.dot(twist.angular), axes.second.dot(twist.angular), 0, 0};
  });
}

void VelocityRows::add_load(int a, int b, const Vec3& p_W, const Wrench& load) {
  add_block(a, b, p_W, p_W, 1, [&](const Twist& twist) {
    return Lane4{load.torque.dot(twist.angular) + load.force.dot(twist.linear), 0, 0, 0};
  });
}

void VelocityRows::add_dof(int dof, double sign) {
  Block block{.row = rows_, .rows = 1};
  const int tree = model_.joints()[at(model_.joint_of_dof(dof))].tree;
  Side& side = block.sides[0];
  side = make_side(group_of_tree_[at(tree)], dof, false);
  const std::size_t place = side.dof < 0 ? at(local(dof)) : dofs(side).size() - 1;
  J_[at(side.first) + place] = Lane4{sign, 0, 0, 0};
  finish_side(side);
  rows_ += block.rows;
  blocks_.push_back(block);
}

Vec3 VelocityRows::velocity(int block, const double* v) const {
  Lane4 sum = {};
  for (const Side& side : blocks_[at(block)].sides) {
    if (side.group < 0) continue;
    const Lane4* J = J_.data() + side.first;
    for (const int dof : dofs(side)) sum += *J++ * v[dof];
  }
  return {sum[0], sum[1], sum[2]};
}

/// Adds the rows y_sᵀ y_t of two sides of one group.
void VelocityRows::meet(const Side& s, const Side& t, Lane4* out) const {
  const Lane4 *y = Y_.data() + s.first, *z = Y_.data() + t.first;
  const auto add = [&](const Lane4& a, const Lane4& b) {
    out[0] += a[0] * b;
    out[1] += a[1] * b;
    out[2] += a[2] * b;
  };
  const std::span<const int> dofs_s = dofs(s), dofs_t = dofs(t);
  if (s.dof < 0 && t.dof >= 0) {
    for (std::size_t k = 0; k < dofs_t.size(); ++k) add(y[local(dofs_t[k])], z[k]);
  } else if (s.dof >= 0 && t.dof < 0) {
    for (std::size_t k = 0; k < dofs_s.size(); ++k) add(y[k], z[local(dofs_s[k])]);
  } else {
    const std::size_t most = std::min(dofs_s.size(), dofs_t.size());
    for (std::size_t k = 0; k < most && dofs_s[k] == dofs_t[k]; ++k) add(y[k], z[k]);
  }
}

void VelocityRows::product(const Block& i, const Block& j, Lane4* out) const {
  out[0] = out[1] = out[2] = Lane4{};
  for (const Side& s : i.sides) {
    for (const Side& t : j.sides) {
      if (s.group >= 0 && s.group == t.group) meet(s, t, out);
    }
  }
}

void VelocityRows::fill(ConeMatrix& W) {
  if (rows_ <= kDenseRows) {
    W.set_dense(rows_);
    fill_dense(W);
  } else {
    fill_sparse(W);
  }
}

void VelocityRows::fill_dense(ConeMatrix& W) const {
  Lane4 block[3];
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    for (std::size_t j = i; j < blocks_.size(); ++j) {
      const Block &a = blocks_[i], &b = blocks_[j];
      product(a, b, block);
      for (int r = 0; r < a.rows; ++r) {
        for (int c = 0; c < b.rows; ++c) {
          const double value = block[r][c];
          W.value[at(a.row + r) * at(W.size) + at(b.row + c)] = value;
          W.value[at(b.row + c) * at(W.size) + at(a.row + r)] = value;
        }
      }
    }
  }
}

void VelocityRows::fill_sparse(ConeMatrix& W) {
  for (std::vector<int>& blocks : blocks_of_group_) blocks.clear();
  for (int i = 0; i < block_count(); ++i) {
    for (const Side& side : blocks_[at(i)].sides) {
      if (side.group >= 0) blocks_of_group_[at(side.group)].push_back(i);
    }
  }
  W.size = rows_;
  W.start.assign(1, 0);
  W.column.clear();
  W.value.clear();
  for (const Block& a : blocks_) {
    neighbours_.clear();
    for (const Side& side : a.sides) {
      if (side.group < 0) continue;
      const std::vector<int>& others = blocks_of_group_[at(side.group)];
      neighbours_.insert(neighbours_.end(), others.begin(), others.end());
    }
    std::ranges::sort(neighbours_);
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    const std::size_t first = W.column.size();
    std::size_t width = 0;
    for (const int j : neighbours_) width += at(blocks_[at(j)].rows);
    W.column.resize(first + width * at(a.rows));
    W.value.resize(first + width * at(a.rows));
    std::size_t place = first;
    for (const int j : neighbours_) {
      const Block& b = blocks_[at(j)];
      Lane4 block[3];
      product(a, b, block);
      for (int c = 0; c < b.rows; ++c, ++place) {
        for (int r = 0; r < a.rows; ++r) {
          W.column[place + at(r) * width] = b.row + c;
          W.value[place + at(r) * width] = block[r][c];
        }
      }
    }
    for (int r = 0; r < a.rows; ++r) {
      W.start.push_back(static_cast<int>(first + at(r + 1) * width));
    }
  }
}

void VelocityRows::add_velocity(const double* r, double* v) {
  velocity_work_.setZero();
  for (const Block& block : blocks_) {
    Lane4 impulse = {};
    for (int k = 0; k < block.rows; ++k) impulse[k] = r[block.row + k];
    for (const Side& side : block.sides) {
      if (side.group < 0) continue;
      const Lane4* Y = Y_.data() + side.first;
      for (const int dof : dofs(side)) {
        const Lane4 p = *Y++ * impulse;
        velocity_work_[dof] += p[0] + p[1] + p[2];
      }
    }
  }
  factor_->solve_other_half(velocity_work_.data());
  Eigen::Map<VecX>(v, velocity_work_.size()) += velocity_work_;
}

void VelocityRows::close_loops(double* v) {
  if (loops_->J.cols() == 0) return;
  Eigen::Map<VecX> velocity(v, velocity_work_.size());
  loop_work_.noalias() = -loops_->J.transpose().lazyProduct(velocity);
  loop_factor_.solve(loop_work_);
  velocity_work_.noalias() = Y_loops_.lazyProduct(loop_work_);
  factor_->solve_other_half(velocity_work_.data());
  velocity += velocity_work_;
}

}  // namespace grouser::internal
