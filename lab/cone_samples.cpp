#include "lab/cone_samples.h"

#include <array>

#include "core/rng.h"
#include "math/rotation.h"

namespace grouser {
namespace {

constexpr double kStep = 0.005;    // [s]
constexpr double kGravity = 9.81;  // [m/s²]
constexpr int kGround = -1;

struct SampleBody {
  double inverse_mass = 1;                  // [1/kg]
  Mat3 inverse_inertia = Mat3::Identity();  // about the centre, world axes [1/(kg m²)]
  Vec3 center = Vec3::Zero();               // [m]
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // [m/s], [rad/s]
};

/// SampleBody a touches body b, or the ground, whose surface has this normal, towards a.
struct Touch {
  int a, b;
  Vec3 point;
  Vec3 normal;
};

struct Scene {
  std::vector<SampleBody> bodies;
  std::vector<Touch> touches;
};

SampleBody box_body(double mass, const Vec3& size, const Vec3& center) {
  const Vec3 s = size.cwiseAbs2();
  SampleBody body{.inverse_mass = 1 / mass, .center = center};
  body.inverse_inertia =
      (12 / mass * Vec3(s[1] + s[2], s[0] + s[2], s[0] + s[1]).cwiseInverse()).asDiagonal();
  return body;
}

/// Corners of the rectangle of x and y that the boxes share, at height z.
void add_face(Scene& scene, int a, int b, const Vec2& low, const Vec2& high, double z) {
  for (const double x : {low[0], high[0]}) {
    for (const double y : {low[1], high[1]}) {
      scene.touches.push_back({a, b, {x, y, z}, Vec3::UnitZ()});
    }
  }
}

/// Masses of one problem: all alike, or spread over up to six decades.
class Masses {
 public:
  explicit Masses(CounterRng& rng) : Masses(rng, rng.uniform() < 0.4 ? rng.uniform(0, 6) : 0) {}
  Masses(CounterRng& rng, double decades) : rng_(rng), decades_(decades) {}
  double next() { return std::pow(10, rng_.uniform(0, decades_)); }

 private:
  CounterRng& rng_;
  double decades_;
};

/// A box on the ground, its base touching at `rows` × `rows` points.
Scene make_box(CounterRng& rng, int rows) {
  Scene scene;
  const Vec3 size(rng.uniform(0.2, 2), rng.uniform(0.2, 2), rng.uniform(0.2, 2));
  scene.bodies.push_back(box_body(std::pow(10, rng.uniform(-1, 4)), size, {0, 0, size[2] / 2}));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      const double step = rows > 1 ? 1.0 / (rows - 1) : 0.5;
      scene.touches.push_back(
          {0, kGround, {size[0] * (i * step - 0.5), size[1] * (j * step - 0.5), 0}, Vec3::UnitZ()});
    }
  }
  return scene;
}

/// Rows of bricks, each over the gap of the two below; the upper rows shorter by `taper` bricks each.
Scene make_wall(CounterRng& rng, int width, int height, int taper) {
  Scene scene;
  Masses masses(rng);
  const Vec3 size(0.4, 0.2, 0.2);
  std::vector<int> below;
  std::vector<double> below_x;
  for (int row = 0; row < height; ++row) {
    const int count = width - taper * row;
    if (count <= 0) break;
    const double shift = taper > 0 ? 0.5 * taper * row : 0.5 * (row % 2);
    std::vector<int> mine;
    std::vector<double> mine_x;
    for (int k = 0; k < count; ++k) {
      const double x = (k + shift) * size[0];
      const int body = static_cast<int>(scene.bodies.size());
      scene.bodies.push_back(box_body(masses.next(), size, {x, 0, (row + 0.5) * size[2]}));
      const double left = x - size[0] / 2, right = x + size[0] / 2, y = size[1] / 2;
      if (row == 0) add_face(scene, body, kGround, {left, -y}, {right, y}, 0);
      for (std::size_t i = 0; i < below.size(); ++i) {
        const double low = std::max(left, below_x[i] - size[0] / 2);
        const double high = std::min(right, below_x[i] + size[0] / 2);
        if (high - low < 1e-9) continue;
        add_face(scene, body, below[i], {low, -y}, {high, y}, row * size[2]);
      }
      mine.push_back(body);
      mine_x.push_back(x);
    }
    below = mine;
    below_x = mine_x;
  }
  return scene;
}

Scene make_tower(CounterRng& rng, int height) {
  Scene scene;
  Masses masses(rng);
  double z = 0;
  for (int k = 0; k < height; ++k) {
    const Vec3 size(rng.uniform(0.3, 0.5), rng.uniform(0.3, 0.5), rng.uniform(0.1, 0.4));
    scene.bodies.push_back(box_body(masses.next(), size, {0, 0, z + size[2] / 2}));
    add_face(scene, k, k - 1, {-0.15, -0.15}, {0.15, 0.15},
             z);  // k - 1 is the ground for the first
    z += size[2];
  }
  return scene;
}

Vec3 random_direction(CounterRng& rng) {
  const double x = rng.normal(), y = rng.normal();
  return Vec3(x, y, rng.normal()).normalized();
}

/// Lumps thrown into a box with a floor and walls so narrow that they overlap a little: each overlap is a
/// contact. As many lumps as give the number of contacts.
Scene make_heap(CounterRng& rng, int contacts, Masses&& masses) {
  Scene scene;
  const double half = 0.12 * std::cbrt(contacts);  // of the box [m]
  std::vector<double> radii;
  while (static_cast<int>(scene.touches.size()) < contacts) {
    const int body = static_cast<int>(scene.bodies.size());
    const double radius = rng.uniform(0.08, 0.16);
    const double x = rng.uniform(-half, half), y = rng.uniform(-half, half);
    const Vec3 center(x, y, rng.uniform(0.9 * radius, 2 * half));
    scene.bodies.push_back(box_body(masses.next(), Vec3::Constant(1.5 * radius), center));
    radii.push_back(radius);
    const auto touch = [&](int other, const Vec3& normal) {
      if (static_cast<int>(scene.touches.size()) == contacts) return;
      scene.touches.push_back({body, other, center - radius * normal, normal});
    };
    if (center[2] < radius) touch(kGround, Vec3::UnitZ());
    for (const int axis : {0, 1}) {
      if (half - std::abs(center[axis]) > 0.3 * radius) continue;
      touch(kGround, center[axis] > 0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis)));
    }
    for (int other = 0; other < body; ++other) {
      const Vec3 way = center - scene.bodies[static_cast<std::size_t>(other)].center;
      if (way.norm() < radius + radii[static_cast<std::size_t>(other)])
        touch(other, way.normalized());
    }
  }
  return scene;
}

Scene make_heap(CounterRng& rng, int contacts) { return make_heap(rng, contacts, Masses(rng)); }

/// Cubes whose masses are 1 and 1e6 in turn, a light or a heavy one at the bottom.
Scene make_alternating_tower(CounterRng& rng, int height) {
  Scene scene;
  const double size = 0.3;
  const int first = rng.uniform() < 0.5 ? 0 : 1;
  for (int k = 0; k < height; ++k) {
    const double mass = (k + first) % 2 == 0 ? 1 : 1e6;
    scene.bodies.push_back(box_body(mass, Vec3::Constant(size), {0, 0, (k + 0.5) * size}));
    const Vec2 corner = Vec2::Constant(size / 2);
    add_face(scene, k, k - 1, -corner, corner, k * size);
  }
  return scene;
}

/// A lump that lies in a hollow: each contact has a normal of its own.
Scene make_crowded_body(CounterRng& rng, int contacts) {
  Scene scene;
  scene.bodies.push_back(box_body(rng.uniform(1, 100), Vec3::Constant(0.5), {0, 0, 0}));
  for (int k = 0; k < contacts; ++k) {
    const Vec3 normal = (Vec3::UnitZ() + rng.uniform(0, 0.8) * random_direction(rng)).normalized();
    scene.touches.push_back({0, kGround, -rng.uniform(0.2, 0.3) * normal, normal});
  }
  return scene;
}

/// Velocities before the step: at rest, sliding as a whole, or each body on its own; then gravity.
void set_motion(CounterRng& rng, Scene& scene) {
  const double kind = rng.uniform();
  const double speed = std::pow(10, rng.uniform(-3, 0.7));
  const Vec3 common = speed * random_direction(rng);
  const Vec3 up =
      (Vec3::UnitZ() + (rng.uniform() < 0.3 ? 0.5 : 0.0) * random_direction(rng)).normalized();
  for (SampleBody& body : scene.bodies) {
    if (kind > 0.35) body.v = common;
    if (kind > 0.6) {
      body.v = speed * random_direction(rng);
      body.w = 3 * speed * random_direction(rng);
    }
    body.v -= kStep * kGravity * up;
  }
}

Mat3 sample_axes(const Vec3& normal) {
  const Vec3 helper = std::abs(normal[0]) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t = normal.cross(helper).normalized();
  Mat3 axes;
  axes << normal, t, normal.cross(t);
  return axes;
}

/// Rows of a contact for the velocity (linear, angular) of one of its bodies.
using Rows = Eigen::Matrix<double, 3, 6>;
Rows rows_of_touch(const Touch& touch, const SampleBody& body, double sign) {
  const Mat3 axes = sample_axes(touch.normal);
  Rows H;
  H.leftCols<3>() = sign * axes.transpose();
  H.rightCols<3>() = -sign * axes.transpose() * skew(touch.point - body.center);
  return H;
}

ConeProblem assemble(const Scene& scene, const std::vector<double>& mu) {
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
    const Touch& touch = scene.touches[k];
    for (const auto& [index, sign] : {std::pair(touch.a, 1.0), std::pair(touch.b, -1.0)}) {
      if (index == kGround) continue;
      const SampleBody& body = scene.bodies[static_cast<std::size_t>(index)];
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
  V[2] -= kStep * kGravity;
  Eigen::Matrix<double, 3 * kWheels, kDofs> H;
  H.setZero();
  ConeProblem problem;
  for (int k = 0; k < kWheels; ++k) {
    problem.add_cone(mu);
    const Vec3 tilt(0.3 * rng.normal(), 0.3 * rng.normal(), 0);
    const Vec3 normal = (Vec3::UnitZ() + (rng.uniform() < 0.5 ? 1.0 : 0.0) * tilt).normalized();
    const int axle = k / 2;
    const Vec3 hub((axle - 1) * base / 2, (k % 2 - 0.5) * width, -0.3);
    const Mat3 axes = sample_axes(normal);
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
  Scene scene;
  ConeSample sample;
  switch (index % 8) {
    case 0:
      sample.family = "rover";
      sample.problem = make_rover(rng, friction);
      return sample;
    case 1:
      sample.family = "box";
      scene = make_box(rng, spread(rng, 1, 3));
      break;
    case 2:
      sample.family = "small heap";
      scene = make_heap(rng, spread(rng, 1, 9));
      break;
    case 3:
      sample.family = "tower";
      scene = make_tower(rng, spread(rng, 1, 15));
      break;
    case 4:
      sample.family = "wall";
      scene = make_wall(rng, spread(rng, 1, 6), spread(rng, 1, 6), 0);
      break;
    case 5:
      sample.family = "pyramid";
      scene = make_wall(rng, spread(rng, 2, 8), 8, 1);
      break;
    case 6:
      sample.family = "heap";
      scene = make_heap(rng, spread(rng, 10, 60));
      break;
    default:
      sample.family = "large heap";
      scene = make_heap(rng, spread(rng, 61, 300));
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
  Scene scene;
  ConeSample sample;
  switch (kind) {
    case HardCone::tower:
      sample.family = "alternating tower";
      scene = make_alternating_tower(rng, kCubes);
      break;
    case HardCone::heap:
      sample.family = "mixed heap";
      scene = make_heap(rng, kContacts, Masses(rng, 6));
      break;
    case HardCone::one_body:
      sample.family = "crowded body";
      scene = make_crowded_body(rng, kContacts);
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

}  // namespace grouser
