#include "experiments/bbcc_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/bbcc/bbcc_force.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser {
namespace {

// Table 1 of the paper.
constexpr double kRadius = 0.5, kLength = 1, kInertia = 0.25;
constexpr double kYoung = 4.5e5, kPoisson = 0.4, kFriction = 0.4, kGravity = 9.81, kDeadBand = 0.01;

/// A round body of 1 kg on a slab, its axle along y, its lowest line on z = 0.
struct Roller {
  const char* shape = "cylinder: {radius: 0.5, length: 1}";
  bool rotates = true;
  const char* integrator =
      "method: bdf, relative_tolerance: 1e-9, absolute_tolerance: 1e-12, max_step: 0.01";
  double restitution = 0.6;
  double friction = kFriction;
  std::string stiction;  ///< more fields of the material
  double incline = 0;    ///< by which gravity leans towards x [rad]
  double gravity = kGravity;
  double height = 0;      ///< above the slab [m]
  Vec3 v = Vec3::Zero();  ///< [m/s]
  Vec3 w = Vec3::Zero();  ///< [rad/s]

  World world() const {
    const std::string text = fmt::format(
        R"(grouser: 1
gravity: [{:.17g}, 0, {:.17g}]
integrator: {{{}}}
record: {{rate_hz: 100}}
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
)",
        gravity * std::sin(incline), -gravity * std::cos(incline), integrator, model(), kYoung,
        kPoisson, restitution, friction, stiction);
    return load_scene_text(text, "bbcc", ".");
  }

  /// Free, or led along x and z.
  std::string model() const {
    const std::string body = fmt::format(
        "name: roller, mass: 1, inertia: [{0}, {0}, {0}], shape: {{{1}, rpy_deg: [90, 0, 0]}}",
        kInertia, shape);
    if (rotates) {
      return fmt::format(R"(  - name: roller
    position: [0, 0, {:.17g}]
    velocity: [{:.17g}, {:.17g}, {:.17g}]
    angular_velocity: [{:.17g}, {:.17g}, {:.17g}]
    tree:
      bodies:
        - {{{}}}
)",
                         kRadius + height, v.x(), v.y(), v.z(), w.x(), w.y(), w.z(), body);
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
                       kRadius + height, v.x(), body);
  }
};

/// How far a body at rest sinks in, by Hertz' law [m].
double static_depth(double normal_force) {
  const double modulus = kYoung / (2 * (1 - kPoisson * kPoisson));
  return std::pow(normal_force / (4.0 / 3.0 * std::sqrt(kRadius) * modulus), 2.0 / 3);
}

/// Motion of the last body over time, 100 samples a second.
class Track : public Observer {
 public:
  explicit Track(const World& world, double end) {
    simulate(world, initial_state(world), {.end_time = end}, *this);
  }
  void on_sample(const Sample& sample) override { twists_.push_back(sample.V_WB.back()); }

  const Twist& at(double time) const { return twists_[static_cast<std::size_t>(time * 100 + 0.5)]; }
  const Twist& end() const { return twists_.back(); }

 private:
  std::vector<Twist> twists_;
};

ReproductionRow row(std::string quantity, const char* unit, double expected, double ours,
                    double tolerance) {
  return {.quantity = std::move(quantity),
          .unit = unit,
          .expected = expected,
          .ours = ours,
          .tolerance = tolerance};
}

std::vector<ReproductionRow> impact() {
  const auto after = [](double restitution, double friction) {
    const Roller roller{.restitution = restitution,
                        .friction = friction,
                        .gravity = 0,
                        .height = 0.02,
                        .v = Vec3(0.5, 0, -1)};
    return Track(roller.world(), 1).end();
  };
  const Twist bounced = after(0.6, 0), elastic = after(1, 0), dull = after(0, 0);
  const Twist rough = after(0.6, kFriction);
  return {
      row("zeta 0.6: normal speed after / before", "-", 0.6, bounced.linear.z(), 0.03),
      row("frictionless: tangential speed after / before", "-", 1, bounced.linear.x() / 0.5, 1e-9),
      row("zeta 1: kinetic energy after / before", "-", 1, elastic.linear.squaredNorm() / 1.25,
          1e-4),
      row("zeta 0: normal speed after / before", "-", 0, dull.linear.z(), 0.02),
      row("zeta 0.6, mu 0.4: normal speed after / before", "-", 0.6, rough.linear.z(), 0.03)};
}

/// Force of a pair at rest, pressed into each other by a depth.
double force_of(const Convex& above, const Pose& X, const Convex& below) {
  const Material material{.young = kYoung, .poisson = kPoisson};
  const BbccScene scene({{.name = "above", .body = 0, .parts = {{above, {}}}, .material = material},
                         {.name = "below", .parts = {{below, {}}}, .material = material}});
  BbccScratch scratch(scene);
  const std::vector<Pose> poses = {X, {}};
  const std::vector<Twist> twists(2);
  return bbcc_force(scene, poses, twists, {}, scratch).wrenches[0].force.z();
}

std::vector<ReproductionRow> hertz() {
  constexpr double kDepth = 1e-3;
  const double modulus = kYoung / (2 * (1 - kPoisson * kPoisson));
  const auto law = [&](double radius) {
    return 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(kDepth, 1.5);
  };
  const Pose on_sphere{Mat3::Identity(), Vec3(0, 0, kRadius + 0.25 - kDepth)};
  const Pose on_plane{Mat3::Identity(), Vec3(0, 0, kRadius + 0.5 - kDepth)};
  const double two = force_of(SphereShape{kRadius}, on_sphere, SphereShape{0.25});
  const double one = force_of(SphereShape{kRadius}, on_plane, BoxShape{Vec3(4, 4, 1)});
  return {row("sphere on sphere: F / (4/3 E* sqrt(R) d^1.5)", "-", 1,
              two / law(1 / (1 / kRadius + 1 / 0.25)), 1e-12),
          row("sphere on plane: F / (4/3 E* sqrt(R) d^1.5)", "-", 1, one / law(kRadius), 1e-12)};
}

/// One that slides or rolls on the slab, begun at the depth of rest.
Roller resting(double incline = 0) {
  Roller roller{.incline = incline};
  roller.height = -static_depth(kGravity * std::cos(incline));
  return roller;
}

std::vector<ReproductionRow> sliding() {
  Roller roller = resting();
  roller.rotates = false;
  roller.v.x() = 2;
  const Track track(roller.world(), 0.4);
  return {row("deceleration / (mu g)", "-", 1,
              (track.at(0.1).linear.x() - track.at(0.4).linear.x()) / 0.3 / (kFriction * kGravity),
              0.01)};
}

std::vector<ReproductionRow> rolling() {
  // All begin with the energy of 1 m/s without rotation.
  const double ratio = kInertia / (kRadius * kRadius);
  struct Case {
    const char* name;
    double v, w, expected;
  };
  const double both = 1 / std::sqrt(1 + ratio);
  std::vector<ReproductionRow> rows;
  for (const Case& c : {Case{"translation only", 1, 0, 1 / (1 + ratio)},
                        Case{"rotation only", 0, 1 / std::sqrt(kInertia),
                             kRadius / std::sqrt(kInertia) * ratio / (1 + ratio)},
                        Case{"translation and rotation, matched", both, both / kRadius, both}}) {
    Roller roller = resting();
    roller.v.x() = c.v;
    roller.w.y() = c.w;
    const Track track(roller.world(), 5);
    rows.push_back(row(fmt::format("{}: speed in the end", c.name), "m/s", c.expected,
                       track.end().linear.x(), 0.01 * c.expected));
    rows.push_back(row(fmt::format("{}: speed lost from 3 to 5 s", c.name), "%", 0,
                       100 * (1 - track.end().linear.x() / track.at(3).linear.x()), 0.1));
  }
  return rows;
}

std::vector<ReproductionRow> incline_low() {
  const double slope = 0.2, bound = kDeadBand * std::atanh(slope / kFriction);
  Roller roller = resting(std::atan(slope));
  roller.rotates = false;
  const double creep = Track(roller.world(), 3).end().linear.x();
  roller.stiction = ", static_friction: 0.5, decay: 100";
  const double sticking = Track(roller.world(), 3).end().linear.x();
  return {row("creep speed / (v_d atanh(tan i / mu))", "-", 1, creep / bound, 0.02),
          row("with stiction: creep speed / that of its law", "-", 1,
              sticking / (kDeadBand * (1 - std::sqrt(1 - slope / 0.5))), 0.02),
          row("with stiction: creep below that bound", "1: yes", 1, sticking <= bound ? 1 : 0, 0)};
}

std::vector<ReproductionRow> incline_high() {
  const double i = std::atan(0.8);
  Roller roller = resting(i);
  roller.rotates = false;
  const Track track(roller.world(), 1);
  const double expected = kGravity * (std::sin(i) - kFriction * std::cos(i));
  return {row("acceleration / g (sin i - mu cos i)", "-", 1,
              (track.at(1).linear.x() - track.at(0.5).linear.x()) / 0.5 / expected, 0.01)};
}

std::vector<ReproductionRow> incline_roll() {
  const double i = std::atan(0.2);
  const Track track(resting(i).world(), 2);
  const double expected = kGravity * std::sin(i) / (1 + kInertia / (kRadius * kRadius));
  return {row("acceleration / g sin i (1 + I/(m r^2))^-1", "-", 1,
              (track.at(2).linear.x() - track.at(1).linear.x()) / expected, 0.01)};
}

std::vector<ReproductionRow> spin() {
  Roller ball = resting();
  ball.shape = "sphere: {radius: 0.5}";
  ball.w.z() = 6;
  ball.integrator = "method: rk4, step: 0.0005";
  const Track track(ball.world(), 60);
  const double disc = std::sqrt(kRadius * static_depth(kGravity));
  const double expected =
      3 * std::numbers::pi / 16 * kFriction * kGravity * disc / kInertia;  // of a Hertz disc
  const auto deceleration = [&](double from, double to) {
    return (track.at(from).angular.z() - track.at(to).angular.z()) / (to - from);
  };
  Roller lying = resting();
  lying.w.z() = 6;
  const Track cylinder(lying.world(), 3);
  return {
      row("ball: deceleration / (3 pi/16 mu g m a / I), 1 to 5 s", "-", 1,
          deceleration(1, 5) / expected, 0.01),
      row("ball: the same from 5 to 10 s", "-", 1, deceleration(5, 10) / expected, 0.01),
      row("ball: energy left / begun with", "-", 0, std::pow(track.end().angular.z() / 6, 2), 1e-3),
      row("lying cylinder: deceleration from 0.2 to 0.3 s / from 0.1 to 0.2 s", "-", 1,
          (cylinder.at(0.2).angular.z() - cylinder.at(0.3).angular.z()) /
              (cylinder.at(0.1).angular.z() - cylinder.at(0.2).angular.z()),
          0.01),
      row("lying cylinder: energy left / begun with", "-", 0,
          std::pow(cylinder.end().angular.norm() / 6, 2), 1e-3)};
}

World tower_world() {
  std::string text = R"(grouser: 1
integrator: {method: semi_implicit, step: 2.5e-5}
record: {rate_hz: 10}
models:
  - name: slab
    base: fixed
    tree:
      bodies:
        - {name: slab, mass: 1, shape: {box: [2, 2, 0.2], position: [0, 0, -0.1]}}
)";
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
  text += fmt::format(
      "contacts:\n  - model: bbcc\n    bodies: [{}]\n    material: {{young: 1e7}}\n", names);
  return load_scene_text(text, "tower", ".");
}

/// Fastest of all bodies in the last second, and the height of the last.
class TowerWatch : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    top = sample.X_WB.back().p;
    if (sample.time < 59) return;
    for (const Twist& V : sample.V_WB) fastest = std::max(fastest, V.linear.norm());
  }
  double fastest = 0;
  Vec3 top = Vec3::Zero();
};

std::vector<ReproductionRow> tower() {
  const World world = tower_world();
  TowerWatch watch;
  simulate(world, initial_state(world), {.end_time = 60}, watch);
  return {row("residual speed after 60 s (paper: never at rest)", "m/s", 0, watch.fastest, 1e-6),
          row("height of the top box, sunk by contact only", "m", 0.95, watch.top.z(), 0.02),
          row("top box moved aside", "m", 0, watch.top.head<2>().norm(), 1e-3)};
}

/// Counts pairs of parts while the rover climbs over the obstacle course.
class PairCount : public Observer {
 public:
  explicit PairCount(const World& world)
      : scene_(*world.body_contacts), scratch_(scene_), X_WE_(scene_.elements().size()) {
    for (const ContactElement& element : scene_.elements()) {
      (element.body == ContactElement::kFixed ? obstacles : rover) += element.parts.size();
    }
    simulate(world, initial_state(world), {.end_time = 40}, *this);
  }
  void on_sample(const Sample& sample) override {
    for (const int e : scene_.moving()) {
      const auto index = static_cast<std::size_t>(e);
      const ContactElement& element = scene_.elements()[index];
      X_WE_[index] = sample.X_WB[static_cast<std::size_t>(element.body)] * element.X_BE;
    }
    const std::vector<Twist> still(X_WE_.size());
    const BbccForce& force = bbcc_force(scene_, X_WE_, still, {}, scratch_);
    candidates += static_cast<double>(force.candidates);
    touching += static_cast<double>(force.contacts.size());
    samples += 1;
    travelled = sample.X_WB.front().p.x() + 1.2;
  }

  std::size_t rover = 0, obstacles = 0;  ///< parts
  double candidates = 0, touching = 0, samples = 0, travelled = 0;

 private:
  const BbccScene& scene_;
  BbccScratch scratch_;
  std::vector<Pose> X_WE_;
};

std::vector<ReproductionRow> scout_parcours() {
  const World world = load_builtin_scene("parcours");
  const PairCount count(world);
  const auto all = static_cast<double>(count.rover * count.obstacles);
  return {
      row("parts of the rover", "-", 57, static_cast<double>(count.rover), 0),
      row("obstacles", "-", 38, static_cast<double>(count.obstacles), 0),
      row(fmt::format("{:g} pairs of parts: {:.1f} pass group and box, below 5 %", all,
                      count.candidates / count.samples),
          "1: yes", 1, count.candidates < 0.05 * all * count.samples ? 1 : 0, 0),
      row(fmt::format("of these {:.1f} touch, some at all times", count.touching / count.samples),
          "1: yes", 1, count.touching >= count.samples ? 1 : 0, 0),
      row(fmt::format("travelled {:.2f} m in 40 s at 0.1 m/s, more than 3 m", count.travelled),
          "1: yes", 1, count.travelled > 3 ? 1 : 0, 0)};
}

}  // namespace

std::vector<Reproduction> bbcc_reproductions() {
  constexpr const char* kPaper = "Contact Dynamics library (2023) sec. 4.1";
  return {
      {"bbcc/impact", fmt::format("oblique impact of a cylinder; {}", kPaper), impact},
      {"bbcc/hertz", "force of pressed spheres; Hertz (1882)", hertz},
      {"bbcc/sliding", fmt::format("sliding without rotation; {}", kPaper), sliding},
      {"bbcc/rolling", fmt::format("from sliding and spinning to rolling; {}", kPaper), rolling},
      {"bbcc/incline-low", fmt::format("creep on a gentle incline; {}", kPaper), incline_low},
      {"bbcc/incline-high", fmt::format("sliding down a steep incline; {}", kPaper), incline_high},
      {"bbcc/incline-roll", fmt::format("rolling down an incline; {}", kPaper), incline_roll},
      {"bbcc/spin", fmt::format("spin about the normal; {}", kPaper), spin},
      {"bbcc/scout-parcours", fmt::format("a rover climbs over an obstacle course; {}", kPaper),
       scout_parcours},
      {"bbcc/tower", fmt::format("ten cuboids stand for a minute; {}", kPaper), tower},
  };
}

}  // namespace grouser
