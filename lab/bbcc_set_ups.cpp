#include "lab/bbcc_set_ups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/scene_parts.h"
#include "scene/load_scene.h"

namespace grouser::internal {
namespace {

using T = BbccTable1;

/// Free, or led along x and z.
Map model_of_roller(const Roller& roller) {
  Map body = body_of("roller", 1, merged(roller.shape, {{"rpy_deg", List{90, 0, 0}}}));
  body.push_back({"inertia", List{T::kInertia, T::kInertia, T::kInertia}});
  const List position{0, 0, T::kRadius + roller.height};
  if (roller.rotates) {
    return merged(model_of("roller", position, body),
                  {{"velocity", list_of(roller.v)}, {"angular_velocity", list_of(roller.w)}});
  }
  body.push_back(
      {"joint",
       Map{{"name", "up"}, {"type", "prismatic"}, {"parent", "cart"}, {"axis", List{0, 0, 1}}}});
  const Map along{
      {"name", "along"}, {"type", "prismatic"}, {"parent", "world"}, {"axis", List{1, 0, 0}}};
  const Map cart{
      {"name", "cart"}, {"mass", 1e-6}, {"inertia", List{1e-9, 1e-9, 1e-9}}, {"joint", along}};
  return {{"name", "roller"},
          {"position", position},
          {"joints", Map{{"along", Map{{"velocity", roller.v.x()}}}}},
          {"tree", Map{{"bodies", List{cart, body}}}}};
}

}  // namespace

World Roller::world() const {
  const Map of_both{{"young", T::kYoung},
                    {"poisson", T::kPoisson},
                    {"restitution", restitution},
                    {"friction", friction}};
  const Map scene{
      {"gravity", inclined_gravity(gravity, incline)},
      {"integrator", integrator},
      {"record", Map{{"rate_hz", rate_hz}}},
      {"models", List{slab("slab", 100, 40, 2), model_of_roller(*this)}},
      {"contacts", List{body_contacts({"slab/slab", "roller/roller"}, merged(of_both, material))}},
      {"body_contact", Map{{"single_point", single_point}}}};
  return load_scene_values(scene, "bbcc", ".");
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
  List models{slab("slab", 2, 2, 0.2)}, bodies{"slab/slab"};
  for (int k = 0; k < 10; ++k) {
    const std::string name = fmt::format("box{}", k);
    models.push_back(
        model_of(name, {0, 0, 0.05 + 0.1 * k}, body_of("box", 1, box_shape(0.2, 0.2, 0.1))));
    bodies.push_back(name + "/box");
  }
  const Map scene{{"integrator", integrator},
                  {"record", Map{{"rate_hz", 10}}},
                  {"models", models},
                  {"contacts", List{body_contacts(bodies, {{"young", 1e7}})}},
                  {"body_contact", Map{{"single_point", single_point}}}};
  return load_scene_values(scene, "tower", ".");
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
