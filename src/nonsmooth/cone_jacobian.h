#pragma once

#include "nonsmooth/front_tree.h"

/// Internal to nonsmooth.
namespace grouser::internal {

/// Solves J x = y with J = E + D W, where E and D hold one 3 × 3 matrix for each block. Blocks that are not
/// active are left out of the matrix. Dense or multifrontal, as the cone is; exchanges of rows stay
/// within a front.
class ConeJacobian {
 public:
  /// Must be called before the first factor() of a new cone.
  void set_cone(const ScaledCone& cone);
  /// False if the matrix is singular.
  bool factor(std::span<const char> active, std::span<const Mat3> E, std::span<const Mat3> D);
  /// x ← J⁻¹ x in the rows of active blocks; other rows are not touched.
  void solve(double* x);

 private:
  void list_rows(std::span<const char> active);
  void fill_dense(std::span<const Mat3> E, std::span<const Mat3> D);
  void fill_front(const Front& front, int index, std::span<const Mat3> E, std::span<const Mat3> D);

  const ScaledCone* cone_ = nullptr;
  bool analyzed_ = false;
  FrontTree tree_;
  Front whole_;  // the only one if W is dense
  std::span<const Front> fronts_;
  std::vector<std::size_t> offset_;
  std::vector<double> value_, x_;
  std::vector<int> exchanged_, place_;
};

}  // namespace grouser::internal
