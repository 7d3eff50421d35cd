#include "lab/pcm_examples.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "assets/surface.h"
#include "geometry/mesh_refine.h"
#include "geometry/primitives.h"
#include "lab/scene_parts.h"

namespace grouser::internal {
namespace {

using MeshPointer = std::shared_ptr<const TriMesh>;

MeshPointer share(TriMesh mesh) { return std::make_shared<const TriMesh>(std::move(mesh)); }

/// An inverted pyramid, open at the top, seen from above and inside.
TriMesh container(int subdivisions) {
  TriMesh mesh;
  mesh.vertices = {Vec3(0, 0, -1), Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
  for (int k = 0; k < subdivisions; ++k) mesh = refined(std::move(mesh), 1.5 / (1 << k));
  return mesh;
}

constexpr double kFootRadius = 0.16, kFootWidth = 0.03, kFootThickness = 0.012, kChamfer = 0.004;
constexpr double kFootSpan = 40 * std::numbers::pi / 180;  // around the axle [rad]

/// A piece of a cylinder about y, its outer edges chamfered, below the axle: 7 lines of 41 points each, and
/// ends.
TriMesh foot_mesh() {
  constexpr int kLines = 7, kSteps = 40;
  constexpr double kInner = kFootRadius - kFootThickness, kSide = kFootWidth / 2;
  const Vec2 profile[kLines] = {
      {kSide, kInner},  {kSide, kFootRadius - kChamfer}, {kSide - kChamfer, kFootRadius},
      {0, kFootRadius}, {kChamfer - kSide, kFootRadius}, {-kSide, kFootRadius - kChamfer},
      {-kSide, kInner}};
  TriMesh mesh;
  for (int k = 0; k <= kSteps; ++k) {
    const double angle = kFootSpan * (static_cast<double>(k) / kSteps - 0.5);
    for (const Vec2& p : profile) {
      mesh.vertices.push_back(Vec3(p.y() * std::sin(angle), p.x(), -p.y() * std::cos(angle)));
    }
  }
  for (int k = 0; k < kSteps; ++k) {
    for (int i = 0; i < kLines; ++i) {
      const int a = kLines * k + i, b = kLines * k + (i + 1) % kLines;
      mesh.triangles.push_back({a, b + kLines, b});
      mesh.triangles.push_back({a, a + kLines, b + kLines});
    }
  }
  constexpr int kEnd = kLines * kSteps;
  for (int i = 1; i + 1 < kLines; ++i) {
    mesh.triangles.push_back({0, i, i + 1});
    mesh.triangles.push_back({kEnd, kEnd + i + 1, kEnd + i});
  }
  return mesh;
}

/// Three modules in a row, each with a wheel left and right.
Map scout_scene(double height) {
  List bodies, actuators, commands;
  const char* modules[] = {"front", "middle", "rear"};
  for (int m = 0; m < 3; ++m) {
    Map module = body_of(modules[m], 7, box_shape(0.28, 0.3, 0.1));
    if (m > 0) {
      module.push_back({"joint", Map{{"name", fmt::format("back{}", m)},
                                     {"type", "universal"},
                                     {"parent", modules[m - 1]},
                                     {"position", List{-0.35, 0, 0}},
                                     {"axis", List{0, 1, 0}},
                                     {"axis2", List{1, 0, 0}},
                                     {"stiffness", 40},
                                     {"damping", 3}}});
    }
    bodies.push_back(module);
    for (const double side : {1.0, -1.0}) {
      const std::string name = fmt::format("{}_{}", modules[m], side > 0 ? "left" : "right");
      const std::string drive = name + "_drive";
      Map wheel = body_of(name, 0.5, wheel_shape(0.1, 0.02));
      wheel.push_back({"joint", hinge(drive, modules[m], {0, 0.24 * side, 0})});
      bodies.push_back(wheel);
      actuators.push_back(Map{{"joint", drive}, {"type", "prescribed"}});
      commands.push_back(Map{{"joint", "scout/" + drive}, {"velocity", 2}});
    }
  }
  const Map scout{{"name", "scout"},
                  {"position", List{-4.5, 0, height}},
                  {"tree", Map{{"bodies", bodies}, {"actuators", actuators}}}};
  return {{"duration", 30},
          {"integrator", fixed_step("semi_implicit", 0.0002)},
          {"record", Map{{"rate_hz", 50}}},
          {"models", List{scout}},
          {"commands", commands}};
}

}  // namespace

World torus_sphere_world(const TorusSphere& example) {
  Map sphere = body_of("sphere", 10, sphere_shape(1));
  sphere.push_back({"inertia", List{0.5, 0.5, 0.5}});
  const Map integrator{{"method", "bdf"},
                       {"relative_tolerance", 1e-6},
                       {"absolute_tolerance", 1e-8},
                       {"max_step", 0.01}};
  const Map scene{{"gravity", List{0, 0, -9.81}},
                  {"duration", 8},
                  {"integrator", integrator},
                  {"record", Map{{"rate_hz", 100}}},
                  {"models", List{model_of("sphere", {0.1, 0, 1.2}, sphere)}}};
  World world = load_scene_values(scene, "torus-sphere", ".");
  const LayerMaterial material{
      .young = example.young, .poisson = 0.4, .thickness = 0.01, .damping = 1e4, .friction = 0.3};
  world.contacts = {std::make_shared<const PcmSystem>(PcmScene(
      std::vector<PcmSurface>{
          {.name = "torus",
           .mesh = share(torus_mesh(1, 0.3, 64, 32)),
           .material = material,
           .role = ContactRole::base,
           .max_penetration = 0.03},
          {.name = "sphere", .body = 0, .mesh = share(sphere_mesh(1, 5)), .material = material}},
      std::vector<PcmTerrain>{}, example.options))};
  return world;
}

World bubbles_world(int subdivisions, const PcmOptions& options) {
  constexpr int kBubbles = 6;
  constexpr double kRadius = 0.15;
  List models;
  for (int k = 0; k < kBubbles; ++k) {
    const double angle = 2.4 * k;  // turns so that no two are above each other
    models.push_back(model_of(fmt::format("bubble{}", k),
                              {rounded(0.45 * std::cos(angle), 6),
                               rounded(0.45 * std::sin(angle), 6), rounded(0.2 + 0.2 * k, 6)},
                              body_of("ball", 1, sphere_shape(kRadius))));
  }
  const Map scene{{"gravity", List{0, 0, -9.81}},
                  {"duration", 1.2},
                  {"integrator", fixed_step("semi_implicit", 0.0005)},
                  {"record", Map{{"rate_hz", 100}}},
                  {"models", models}};
  World world = load_scene_values(scene, "bubbles", ".");
  const LayerMaterial material{.young = 1e5,
                               .poisson = 0.4,
                               .thickness = 0.01,
                               .damping = 1e3,
                               .friction = 0.3,
                               .dead_band = 0.01};
  const MeshPointer ball = share(sphere_mesh(kRadius, 5));
  std::vector<PcmSurface> surfaces = {{.name = "container",
                                       .mesh = share(container(subdivisions)),
                                       .material = material,
                                       .role = ContactRole::target}};
  for (int k = 0; k < kBubbles; ++k) {
    surfaces.push_back({.name = fmt::format("bubble{}", k),
                        .body = k,
                        .mesh = ball,
                        .material = material,
                        .max_penetration = 0.02});
  }
  world.contacts = {std::make_shared<const PcmSystem>(
      PcmScene(std::move(surfaces), std::vector<PcmTerrain>{}, options))};
  return world;
}

World scout_world(const PcmOptions& options) {
  const auto ground = make_surface(
      {.size = {12.8, 12.8}, .spacing = 0.1, .noise = NoiseSpec{.rms_deviation = 0.03, .seed = 4}});
  double top = -1;
  for (double x = -5.5; x < -3.5; x += 0.1) {
    for (double y = -0.4; y <= 0.4; y += 0.1) top = std::max(top, ground->at(x, y).height);
  }
  World world = load_scene_values(scout_scene(top + kFootRadius + 0.01), "scout", ".");
  const LayerMaterial material{.young = 5e6,
                               .poisson = 0.4,
                               .thickness = 0.01,
                               .damping = 2e4,
                               .friction = 0.7,
                               .dead_band = 0.01};
  std::vector<PcmSurface> surfaces = {
      {.name = "ground",
       .mesh = share(surface_mesh(*ground, surface_grid(*ground, 0.1))),
       .material = material,
       .role = ContactRole::target}};
  const MeshPointer foot = share(foot_mesh());
  const auto third = 2 * std::numbers::pi / 3;
  int wheel = 0;
  for (std::size_t body = 0; body < world.model.bodies().size(); ++body) {
    const std::string& name = world.model.bodies()[body].name;
    if (name.find('_') == std::string::npos) continue;
    // Neighbouring wheels step in turn.
    const double phase = wheel++ % 2 == 0 ? 0 : third / 2;
    for (int k = 0; k < 3; ++k) {
      const Eigen::AngleAxisd turn(phase + third * k, Vec3::UnitY());
      surfaces.push_back({.name = fmt::format("{}.foot{}", name, k),
                          .body = static_cast<int>(body),
                          .X_BS = {turn.toRotationMatrix(), Vec3::Zero()},
                          .mesh = foot,
                          .material = material,
                          .role = ContactRole::base,
                          .max_penetration = 0.01});
    }
  }
  world.contacts = {std::make_shared<const PcmSystem>(
      PcmScene(std::move(surfaces), std::vector<PcmTerrain>{}, options))};
  return world;
}

}  // namespace grouser::internal
