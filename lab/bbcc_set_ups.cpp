#include "lab/bbcc_set_ups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

using T = BbccTable1;

/// Free, or led along x and z.
std::string model_of(const Roller& roller) {
  const std::string body = fmt::format(
      "name: roller, mass: 1, inertia: [{0}, {0}, {0}], shape: {{{1}, rpy_deg: [90, 0, 0]}}",
      T::kInertia, roller.shape);
  if (roller.rotates) {
    return fmt::format(R"(  - name: roller
    position: [0, 0, {:.17g}]
    velocity: [{:.17g}, {:.17g}, {:.17g}]
    angular_velocity: [{:.17g}, {:.17g}, {:.17g}]
    tree:
      bodies:
        - {{{}}}
)",
                       T::kRadius + roller.height, roller.v.x(), roller.v.y(), roller.v.z(),
                       roller.w.x(), roller.w.y(), roller.w.z(), body);
  }
  return fmt::format(R"(  - name: roller
    position: [0, 0, {:.17g}]
    joints: {{along: {{velocity: {:.17g}}}}}
    tree:
      bodies:
        - name: cart
          mass: 1e-6
          inertia: [1e-9, 1e-9, 1e-9]
          joint: {{name: along, type: prismatic, parent: world, axis: [1, 0, 0]}}
        - {{{}, joint: {{name: up, type: prismatic, parent: cart, axis: [0, 0, 1]}}}}
)",
                     T::kRadius + roller.height, roller.v.x(), body);
}

}  // namespace

World Roller::world() const {
  const std::string text = fmt::format(
      R"(grouser: 1
gravity: [{:.17g}, 0, {:.17g}]
integrator: {{{}}}
record: {{rate_hz: {}}}
models:
  - name: slab
    base: fixed
    tree:
      bodies:
        - {{name: slab, mass: 1e4, shape: {{box: [100, 40, 2], position: [0, 0, -1]}}}}
{}contacts:
  - model: bbcc
    bodies: [slab/slab, roller/roller]
    material: {{young: {}, poisson: {}, restitution: {}, friction: {}{}}}
body_contact: {{single_point: {}}}
)",
      gravity * std::sin(incline), -gravity * std::cos(incline), integrator, rate_hz,
      model_of(*this), T::kYoung, T::kPoisson, restitution, friction, material, single_point);
  return load_scene_text(text, "bbcc", ".");
}

Roller resting_roller(double incline) {
  Roller roller{.incline = incline};
  roller.height = -static_depth(T::kGravity * std::cos(incline));
  return roller;
}

double static_depth(double normal_force) {
  const double modulus = T::kYoung / (2 * (1 - T::kPoisson * T::kPoisson));
  return std::pow(normal_force / (4.0 / 3.0 * std::sqrt(T::kRadius) * modulus), 2.0 / 3);
}

double pressed_force(const Convex& above, const Pose& X_WA, const Convex& below) {
  const Material material{.young = T::kYoung, .poisson = T::kPoisson};
  const BbccScene scene({{.name = "above", .body = 0, .parts = {{above, {}}}, .material = material},
                         {.name = "below", .parts = {{below, {}}}, .material = material}});
  BbccScratch scratch(scene);
  const std::vector<Pose> poses = {X_WA, {}};
  const std::vector<Twist> twists(2);
  return bbcc_force(scene, poses, twists, {}, scratch).wrenches[0].force.z();
}

const Twist& Track::at(double time) const {
  // Times of samples are products, off by rounding.
  const auto found =
      std::ranges::find_if(points_, [&](const Point& point) { return point.time >= time - 1e-9; });
  return (found == points_.end() ? points_.back() : *found).V;
}

World Tower::world() const {
  std::string text = fmt::format(R"(grouser: 1
integrator: {{{}}}
record: {{rate_hz: 10}}
models:
  - name: slab
    base: fixed
    tree:
      bodies:
        - {{name: slab, mass: 1, shape: {{box: [2, 2, 0.2], position: [0, 0, -0.1]}}}}
)",
                                 integrator);
  std::string names = "slab/slab";
  for (int k = 0; k < 10; ++k) {
    text += fmt::format(R"(  - name: box{0}
    position: [0, 0, {1:.17g}]
    tree:
      bodies:
        - {{name: box, mass: 1, shape: {{box: [0.2, 0.2, 0.1]}}}}
)",
                        k, 0.05 + 0.1 * k);
    names += fmt::format(", box{}/box", k);
  }
  text +=
      fmt::format("contacts:\n  - model: bbcc\n    bodies: [{}]\n    material: {{young: 1e7}}\n{}",
                  names, single_point ? "body_contact: {single_point: true}\n" : "");
  return load_scene_text(text, "tower", ".");
}

PairCount::PairCount(const World& world)
    : scene_(find_contacts<BbccSystem>(world)->scene()),
      scratch_(scene_),
      X_WE_(scene_.elements().size()) {
  for (const ContactElement& element : scene_.elements()) {
    (element.body == ContactElement::kFixed ? obstacles : rover) += element.parts.size();
  }
  simulate(world, initial_state(world), {.end_time = 40}, *this);
}

void PairCount::on_sample(const Sample& sample) {
  for (const int e : scene_.moving()) {
    const auto index = static_cast<std::size_t>(e);
    const ContactElement& element = scene_.elements()[index];
    X_WE_[index] = sample.X_WB[static_cast<std::size_t>(element.body)] * element.X_BE;
  }
  const std::vector<Twist> still(X_WE_.size());
  const BbccForce& force = bbcc_force(scene_, X_WE_, still, {}, scratch_);
  points.push_back({sample.time, static_cast<double>(force.candidates),
                    static_cast<double>(force.contacts.size()), sample.X_WB.front().p});
}

const PairCount& parcours_count() {
  static const World world = load_builtin_scene("parcours");
  static const PairCount count(world);
  return count;
}

}  // namespace grouser::internal
