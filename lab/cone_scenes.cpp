#include "lab/cone_scenes.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

ConeBody box_body(double mass, const Vec3& size, const Vec3& center) {
  const Vec3 s = size.cwiseAbs2();
  ConeBody body{.inverse_mass = 1 / mass, .center = center};
  body.inverse_inertia =
      (12 / mass * Vec3(s[1] + s[2], s[0] + s[2], s[0] + s[1]).cwiseInverse()).asDiagonal();
  return body;
}

// Corners of the rectangle of x and y that the boxes share, at height z.
void add_face(ConeScene& scene, int a, int b, const Vec2& low, const Vec2& high, double z) {
  for (const double x : {low[0], high[0]}) {
    for (const double y : {low[1], high[1]}) {
      scene.touches.push_back({a, b, {x, y, z}, Vec3::UnitZ()});
    }
  }
}

// Masses of one problem: all alike, or spread over up to six decades.
class Masses {
 public:
  explicit Masses(CounterRng& rng) : Masses(rng, rng.uniform() < 0.4 ? rng.uniform(0, 6) : 0) {}
  Masses(CounterRng& rng, double decades) : rng_(rng), decades_(decades) {}
  double next() { return std::pow(10, rng_.uniform(0, decades_)); }

 private:
  CounterRng& rng_;
  double decades_;
};

Vec3 random_direction(CounterRng& rng) {
  const double x = rng.normal(), y = rng.normal();
  return Vec3(x, y, rng.normal()).normalized();
}

ConeScene heap_of(CounterRng& rng, int contacts, Masses&& masses) {
  ConeScene scene;
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
    if (center[2] < radius) touch(kConeGround, Vec3::UnitZ());
    for (const int axis : {0, 1}) {
      if (half - std::abs(center[axis]) > 0.3 * radius) continue;
      touch(kConeGround, center[axis] > 0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis)));
    }
    for (int other = 0; other < body; ++other) {
      const Vec3 way = center - scene.bodies[static_cast<std::size_t>(other)].center;
      if (way.norm() < radius + radii[static_cast<std::size_t>(other)])
        touch(other, way.normalized());
    }
  }
  return scene;
}

}  // namespace

ConeScene box_scene(CounterRng& rng, int rows) {
  ConeScene scene;
  const Vec3 size(rng.uniform(0.2, 2), rng.uniform(0.2, 2), rng.uniform(0.2, 2));
  scene.bodies.push_back(box_body(std::pow(10, rng.uniform(-1, 4)), size, {0, 0, size[2] / 2}));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      const double step = rows > 1 ? 1.0 / (rows - 1) : 0.5;
      scene.touches.push_back({0,
                               kConeGround,
                               {size[0] * (i * step - 0.5), size[1] * (j * step - 0.5), 0},
                               Vec3::UnitZ()});
    }
  }
  return scene;
}

ConeScene wall_scene(CounterRng& rng, int width, int height, int taper) {
  ConeScene scene;
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
      if (row == 0) add_face(scene, body, kConeGround, {left, -y}, {right, y}, 0);
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

ConeScene tower_scene(CounterRng& rng, int height) {
  ConeScene scene;
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

ConeScene heap_scene(CounterRng& rng, int contacts) { return heap_of(rng, contacts, Masses(rng)); }

ConeScene mixed_heap_scene(CounterRng& rng, int contacts) {
  return heap_of(rng, contacts, Masses(rng, 6));
}

ConeScene alternating_tower_scene(CounterRng& rng, int height) {
  ConeScene scene;
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

ConeScene crowded_body_scene(CounterRng& rng, int contacts) {
  ConeScene scene;
  scene.bodies.push_back(box_body(rng.uniform(1, 100), Vec3::Constant(0.5), {0, 0, 0}));
  for (int k = 0; k < contacts; ++k) {
    const Vec3 normal = (Vec3::UnitZ() + rng.uniform(0, 0.8) * random_direction(rng)).normalized();
    scene.touches.push_back({0, kConeGround, -rng.uniform(0.2, 0.3) * normal, normal});
  }
  return scene;
}

void set_motion(CounterRng& rng, ConeScene& scene) {
  const double kind = rng.uniform();
  const double speed = std::pow(10, rng.uniform(-3, 0.7));
  const Vec3 common = speed * random_direction(rng);
  const Vec3 up =
      (Vec3::UnitZ() + (rng.uniform() < 0.3 ? 0.5 : 0.0) * random_direction(rng)).normalized();
  for (ConeBody& body : scene.bodies) {
    if (kind > 0.35) body.v = common;
    if (kind > 0.6) {
      body.v = speed * random_direction(rng);
      body.w = 3 * speed * random_direction(rng);
    }
    body.v -= kConeStep * kConeGravity * up;
  }
}

}  // namespace grouser::internal
