#include "lab/cone_samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/cone_scenes.h"
#include "math/rotation.h"

namespace grouser::internal {
namespace {

Mat3 touch_axes(const Vec3& normal) {
  const Vec3 helper = std::abs(normal[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t = normal.cross(helper).normalized();
  Mat3 axes;
  axes << normal, t, normal.cross(t);
  return axes;
}

/// Rows of a contact for the velocity (linear, angular) of one of its bodies.
using Rows = Eigen::Matrix<double, 3, 6>;
Rows rows_of_touch(const ConeTouch& touch, const ConeBody& body, double sign) {
  const Mat3 axes = touch_axes(touch.normal);
  Rows H;
  H.leftCols<3>() = sign * axes.transpose();
  H.rightCols<3>() = -sign * axes.transpose() * skew(touch.point - body.center);
  return H;
}

ConeProblem assemble(const ConeScene& scene, const std::vector<double>& mu) {
  ConeProblem problem;
  const std::size_t contacts = scene.touches.size();
  struct Side {
    std::size_t contact;
    Rows H;
  };
  std::vector<std::vector<Side>> sides(scene.bodies.size());
  problem.q.assign(3 * contacts, 0.0);
  for (std::size_t k = 0; k < contacts; ++k) {
    problem.add_cone(mu[k]);
    const ConeTouch& touch = scene.touches[k];
    for (const auto& [index, sign] : {std::pair(touch.a, 1.0), std::pair(touch.b, -1.0)}) {
      if (index == kConeGround) continue;
      const ConeBody& body = scene.bodies[static_cast<std::size_t>(index)];
      const Rows H = rows_of_touch(touch, body, sign);
      sides[static_cast<std::size_t>(index)].push_back({k, H});
      Vec6 V;
      V << body.v, body.w;
      Eigen::Map<Vec3>(problem.q.data() + 3 * k) += H * V;
    }
  }
  std::vector<std::vector<std::pair<int, Mat3>>> rows(contacts);
  for (std::size_t b = 0; b < sides.size(); ++b) {
    Mat6 inverse = Mat6::Zero();
    inverse.topLeftCorner<3, 3>().diagonal().setConstant(scene.bodies[b].inverse_mass);
    inverse.bottomRightCorner<3, 3>() = scene.bodies[b].inverse_inertia;
    for (const Side& i : sides[b]) {
      for (const Side& j : sides[b]) {
        const Mat3 block = i.H * inverse * j.H.transpose();
        auto& row = rows[i.contact];
        const auto found = std::find_if(row.begin(), row.end(), [&](const auto& entry) {
          return entry.first == static_cast<int>(j.contact);
        });
        if (found == row.end()) {
          row.emplace_back(static_cast<int>(j.contact), block);
        } else {
          found->second += block;
        }
      }
    }
  }
  ConeMatrix& W = problem.W;
  W.size = static_cast<int>(3 * contacts);
  W.start.assign(1, 0);
  for (std::size_t k = 0; k < contacts; ++k) {
    std::sort(rows[k].begin(), rows[k].end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    // Rounding leaves the product slightly unsymmetric.
    for (auto& [column, block] : rows[k]) {
      const auto& other = rows[static_cast<std::size_t>(column)];
      const auto twin = std::find_if(other.begin(), other.end(), [&](const auto& entry) {
        return entry.first == static_cast<int>(k);
      });
      if (column < static_cast<int>(k)) block = twin->second.transpose();
      if (column == static_cast<int>(k)) block = (0.5 * (block + block.transpose())).eval();
    }
    for (int i = 0; i < 3; ++i) {
      for (const auto& [column, block] : rows[k]) {
        for (int j = 0; j < 3; ++j) {
          W.column.push_back(3 * column + j);
          W.value.push_back(block(i, j));
        }
      }
      W.start.push_back(static_cast<int>(W.column.size()));
    }
  }
  return problem;
}

/// Six wheels under a chassis: 6 coordinates of the chassis, one spin of each wheel, three bogies that share
/// the load. The wheels' contact points lie on uneven ground.
ConeProblem make_rover(CounterRng& rng, double mu) {
  constexpr int kWheels = 6, kDofs = 15;
  const double mass = rng.uniform(50, 1000), radius = 0.15, width = 1.2, base = 1.6;
  Eigen::Matrix<double, kDofs, 1> inverse, V;
  inverse << Vec3::Constant(1 / mass), Vec3(1 / (0.2 * mass), 1 / (0.3 * mass), 1 / (0.4 * mass)),
      Vec6::Constant(1 / rng.uniform(0.05, 2)), Vec3::Constant(1 / (0.02 * mass));
  for (int k = 0; k < kDofs; ++k) V[k] = (k < 6 ? 0.1 : 0.5) * rng.normal();
  V[2] -= kConeStep * kConeGravity;
  Eigen::Matrix<double, 3 * kWheels, kDofs> H;
  H.setZero();
  ConeProblem problem;
  for (int k = 0; k < kWheels; ++k) {
    problem.add_cone(mu);
    const Vec3 tilt(0.3 * rng.normal(), 0.3 * rng.normal(), 0);
    const Vec3 normal = (Vec3::UnitZ() + (rng.uniform() < 0.5 ? 1.0 : 0.0) * tilt).normalized();
    const int axle = k / 2;
    const Vec3 hub((axle - 1) * base / 2, (k % 2 - 0.5) * width, -0.3);
    const Mat3 axes = touch_axes(normal);
    const Vec3 arm = hub - radius * normal;
    H.block<3, 3>(3 * k, 0) = axes.transpose();
    H.block<3, 3>(3 * k, 3) = -axes.transpose() * skew(arm);
    H.block<3, 1>(3 * k, 6 + k) = -axes.transpose() * Vec3::UnitY().cross(radius * normal);
    // Left, right and rear bogie: one wheel up, the other down.
    const int bogie = k < 4 ? k % 2 : 2;
    const double lever = bogie < 2 ? (k < 2 ? -0.4 : 0.4) : (k % 2 == 0 ? -0.6 : 0.6);
    H.block<3, 1>(3 * k, 12 + bogie) = lever * axes.transpose() * Vec3::UnitZ();
  }
  problem.W.set_dense(3 * kWheels);
  const MatX half = H * inverse.cwiseSqrt().asDiagonal();
  problem.W.dense().selfadjointView<Eigen::Lower>().rankUpdate(half);
  problem.W.dense().triangularView<Eigen::StrictlyUpper>() = problem.W.dense().transpose();
  problem.q.resize(3 * kWheels);
  Eigen::Map<VecX>(problem.q.data(), 3 * kWheels) = H * V;
  return problem;
}

/// Number in [low, high], as likely to be small as large in ratio.
int spread(CounterRng& rng, double low, double high) {
  return static_cast<int>(std::lround(low * std::pow(high / low, rng.uniform())));
}

}  // namespace

ConeSample make_cone_sample(int index) {
  CounterRng rng(2024, static_cast<std::uint64_t>(index));
  const double friction = rng.uniform() < 0.05 ? 0.0 : rng.uniform(0.1, 1.2);
  ConeScene scene;
  ConeSample sample;
  switch (index % 8) {
    case 0:
      sample.family = "rover";
      sample.problem = make_rover(rng, friction);
      return sample;
    case 1:
      sample.family = "box";
      scene = box_scene(rng, spread(rng, 1, 3));
      break;
    case 2:
      sample.family = "small heap";
      scene = heap_scene(rng, spread(rng, 1, 9));
      break;
    case 3:
      sample.family = "tower";
      scene = tower_scene(rng, spread(rng, 1, 15));
      break;
    case 4:
      sample.family = "wall";
      scene = wall_scene(rng, spread(rng, 1, 6), spread(rng, 1, 6), 0);
      break;
    case 5:
      sample.family = "pyramid";
      scene = wall_scene(rng, spread(rng, 2, 8), 8, 1);
      break;
    case 6:
      sample.family = "heap";
      scene = heap_scene(rng, spread(rng, 10, 60));
      break;
    default:
      sample.family = "large heap";
      scene = heap_scene(rng, spread(rng, 61, 300));
      break;
  }
  set_motion(rng, scene);
  std::vector<double> mu(scene.touches.size(), friction);
  sample.problem = assemble(scene, mu);
  return sample;
}

ConeSample make_hard_cone(HardCone kind, int seed) {
  constexpr int kCubes = 10, kContacts = 200;
  CounterRng rng(2025, 3 * static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(kind));
  const double friction = rng.uniform(0.2, 1);
  ConeScene scene;
  ConeSample sample;
  switch (kind) {
    case HardCone::tower:
      sample.family = "alternating tower";
      scene = alternating_tower_scene(rng, kCubes);
      break;
    case HardCone::heap:
      sample.family = "mixed heap";
      scene = mixed_heap_scene(rng, kContacts);
      break;
    case HardCone::one_body:
      sample.family = "crowded body";
      scene = crowded_body_scene(rng, kContacts);
      break;
  }
  set_motion(rng, scene);
  std::vector<double> mu(scene.touches.size(), friction);
  if (kind == HardCone::heap) {
    for (double& each : mu) each = rng.uniform(0, 1.2);
  }
  sample.problem = assemble(scene, mu);
  return sample;
}

}  // namespace grouser::internal
