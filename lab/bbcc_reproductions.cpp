#include "lab/bbcc_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/bbcc_figures.h"
#include "lab/bbcc_set_ups.h"
#include "lab/scene_parts.h"

namespace grouser::internal {
namespace {

using T = BbccTable1;

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
  const Twist rough = after(0.6, T::kFriction);
  return {analytic_row("zeta 0.6: normal speed after / before", "-", 0.6, bounced.linear.z(), 0.03),
          analytic_row("frictionless: tangential speed after / before", "-", 1,
                       bounced.linear.x() / 0.5, 1e-9),
          analytic_row("zeta 1: kinetic energy after / before", "-", 1,
                       elastic.linear.squaredNorm() / 1.25, 1e-4),
          analytic_row("zeta 0: normal speed after / before", "-", 0, dull.linear.z(), 0.02),
          analytic_row("zeta 0.6, mu 0.4: normal speed after / before", "-", 0.6, rough.linear.z(),
                       0.03)};
}

std::vector<ReproductionRow> hertz() {
  constexpr double kDepth = 1e-3;
  const double modulus = T::kYoung / (2 * (1 - T::kPoisson * T::kPoisson));
  const auto law = [&](double radius) {
    return 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(kDepth, 1.5);
  };
  const Pose on_sphere{Mat3::Identity(), Vec3(0, 0, T::kRadius + 0.25 - kDepth)};
  const Pose on_plane{Mat3::Identity(), Vec3(0, 0, T::kRadius + 0.5 - kDepth)};
  const double two = pressed_force(SphereShape{T::kRadius}, on_sphere, SphereShape{0.25});
  const double one = pressed_force(SphereShape{T::kRadius}, on_plane, BoxShape{Vec3(4, 4, 1)});
  return {analytic_row("sphere on sphere: F / (4/3 E* sqrt(R) d^1.5)", "-", 1,
                       two / law(1 / (1 / T::kRadius + 1 / 0.25)), 1e-12),
          analytic_row("sphere on plane: F / (4/3 E* sqrt(R) d^1.5)", "-", 1, one / law(T::kRadius),
                       1e-12)};
}

std::vector<ReproductionRow> sliding() {
  Roller roller = resting_roller();
  roller.rotates = false;
  roller.v.x() = 2;
  const Track track(roller.world(), 0.4);
  return {analytic_row(
      "deceleration / (mu g)", "-", 1,
      (track.at(0.1).linear.x() - track.at(0.4).linear.x()) / 0.3 / (T::kFriction * T::kGravity),
      0.01)};
}

std::vector<ReproductionRow> rolling() {
  // All begin with the energy of 1 m/s without rotation.
  const double ratio = T::kInertia / (T::kRadius * T::kRadius);
  struct Case {
    const char* name;
    double v, w, expected;
  };
  const double both = 1 / std::sqrt(1 + ratio);
  std::vector<ReproductionRow> rows;
  for (const Case& c : {Case{"translation only", 1, 0, 1 / (1 + ratio)},
                        Case{"rotation only", 0, 1 / std::sqrt(T::kInertia),
                             T::kRadius / std::sqrt(T::kInertia) * ratio / (1 + ratio)},
                        Case{"translation and rotation, matched", both, both / T::kRadius, both}}) {
    Roller roller = resting_roller();
    roller.v.x() = c.v;
    roller.w.y() = c.w;
    const Track track(roller.world(), 5);
    rows.push_back(analytic_row(fmt::format("{}: speed in the end", c.name), "m/s", c.expected,
                                track.end().linear.x(), 0.01 * c.expected));
    rows.push_back(analytic_row(fmt::format("{}: speed lost from 3 to 5 s", c.name), "%", 0,
                                100 * (1 - track.end().linear.x() / track.at(3).linear.x()), 0.1));
  }
  return rows;
}

std::vector<ReproductionRow> incline_low() {
  const double slope = 0.2, bound = T::kDeadBand * std::atanh(slope / T::kFriction);
  Roller roller = resting_roller(std::atan(slope));
  roller.rotates = false;
  const double creep = Track(roller.world(), 3).end().linear.x();
  roller.material = {{"static_friction", 0.5}, {"decay", 100}};
  const double sticking = Track(roller.world(), 3).end().linear.x();
  return {analytic_row("creep speed / (v_d atanh(tan i / mu))", "-", 1, creep / bound, 0.02),
          analytic_row("with stiction: creep speed / that of its law", "-", 1,
                       sticking / (T::kDeadBand * (1 - std::sqrt(1 - slope / 0.5))), 0.02),
          analytic_row("with stiction: creep below that bound", "1: yes", 1,
                       sticking <= bound ? 1 : 0, 0)};
}

std::vector<ReproductionRow> incline_high() {
  const double i = std::atan(0.8);
  Roller roller = resting_roller(i);
  roller.rotates = false;
  const Track track(roller.world(), 1);
  const double expected = T::kGravity * (std::sin(i) - T::kFriction * std::cos(i));
  return {analytic_row("acceleration / g (sin i - mu cos i)", "-", 1,
                       (track.at(1).linear.x() - track.at(0.5).linear.x()) / 0.5 / expected, 0.01)};
}

std::vector<ReproductionRow> incline_roll() {
  const double i = std::atan(0.2);
  const Track track(resting_roller(i).world(), 2);
  const double expected = T::kGravity * std::sin(i) / (1 + T::kInertia / (T::kRadius * T::kRadius));
  return {analytic_row("acceleration / g sin i (1 + I/(m r^2))^-1", "-", 1,
                       (track.at(2).linear.x() - track.at(1).linear.x()) / expected, 0.01)};
}

std::vector<ReproductionRow> spin() {
  Roller ball = resting_roller();
  ball.shape = sphere_shape(0.5);
  ball.w.z() = 6;
  ball.integrator = fixed_step("rk4", 0.0005);
  const Track track(ball.world(), 60);
  const double disc = std::sqrt(T::kRadius * static_depth(T::kGravity));
  const double expected = 3 * std::numbers::pi / 16 * T::kFriction * T::kGravity * disc /
                          T::kInertia;  // of a Hertz disc
  const auto deceleration = [&](double from, double to) {
    return (track.at(from).angular.z() - track.at(to).angular.z()) / (to - from);
  };
  Roller lying = resting_roller();
  lying.w.z() = 6;
  const Track cylinder(lying.world(), 3);
  return {
      analytic_row("ball: deceleration / (3 pi/16 mu g m a / I), 1 to 5 s", "-", 1,
                   deceleration(1, 5) / expected, 0.01),
      analytic_row("ball: the same from 5 to 10 s", "-", 1, deceleration(5, 10) / expected, 0.01),
      analytic_row("ball: energy left / begun with", "-", 0,
                   std::pow(track.end().angular.z() / 6, 2), 1e-3),
      analytic_row("lying cylinder: deceleration from 0.2 to 0.3 s / from 0.1 to 0.2 s", "-", 1,
                   (cylinder.at(0.2).angular.z() - cylinder.at(0.3).angular.z()) /
                       (cylinder.at(0.1).angular.z() - cylinder.at(0.2).angular.z()),
                   0.01),
      analytic_row("lying cylinder: energy left / begun with", "-", 0,
                   std::pow(cylinder.end().angular.norm() / 6, 2), 1e-3)};
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
  const World world = Tower{}.world();
  TowerWatch watch;
  simulate(world, initial_state(world), {.end_time = 60}, watch);
  return {
      analytic_row("residual speed after 60 s (paper: never at rest)", "m/s", 0, watch.fastest,
                   1e-6),
      analytic_row("height of the top box, sunk by contact only", "m", 0.95, watch.top.z(), 0.02),
      analytic_row("top box moved aside", "m", 0, watch.top.head<2>().norm(), 1e-3)};
}

std::vector<ReproductionRow> scout_parcours() {
  const PairCount& count = parcours_count();
  const auto all = static_cast<double>(count.rover * count.obstacles);
  const auto samples = static_cast<double>(count.points.size());
  double candidates = 0, touching = 0;
  for (const PairCount::Point& point : count.points) {
    candidates += point.candidates;
    touching += point.touching;
  }
  const double travelled = count.points.back().chassis.x() + 1.2;
  return {
      analytic_row("parts of the rover", "-", 57, static_cast<double>(count.rover), 0),
      analytic_row("obstacles", "-", 38, static_cast<double>(count.obstacles), 0),
      analytic_row(fmt::format("{:g} pairs of parts: {:.1f} pass group and box, below 5 %", all,
                               candidates / samples),
                   "1: yes", 1, candidates < 0.05 * all * samples ? 1 : 0, 0),
      analytic_row(fmt::format("of these {:.1f} touch, some at all times", touching / samples),
                   "1: yes", 1, touching >= samples ? 1 : 0, 0),
      analytic_row(fmt::format("travelled {:.2f} m in 40 s at 0.1 m/s, more than 3 m", travelled),
                   "1: yes", 1, travelled > 3 ? 1 : 0, 0)};
}

}  // namespace

std::vector<Reproduction> bbcc_reproductions() {
  constexpr const char* kPaper = "Contact Dynamics library (2023) sec. 4.1";
  return {
      {"bbcc/impact", fmt::format("oblique impact of a cylinder; {}", kPaper), impact,
       impact_figure},
      {"bbcc/hertz", "force of pressed spheres; Hertz (1882)", hertz, hertz_figure},
      {"bbcc/sliding", fmt::format("sliding without rotation; {}", kPaper), sliding,
       sliding_figure},
      {"bbcc/rolling", fmt::format("from sliding and spinning to rolling; {}", kPaper), rolling,
       rolling_figure},
      {"bbcc/incline-low", fmt::format("creep on a gentle incline; {}", kPaper), incline_low,
       incline_low_figure},
      {"bbcc/incline-high", fmt::format("sliding down a steep incline; {}", kPaper), incline_high,
       incline_high_figure},
      {"bbcc/incline-roll", fmt::format("rolling down an incline; {}", kPaper), incline_roll,
       incline_roll_figure},
      {"bbcc/spin", fmt::format("spin about the normal; {}", kPaper), spin, spin_figure},
      {"bbcc/scout-parcours", fmt::format("a rover climbs over an obstacle course; {}", kPaper),
       scout_parcours, parcours_figure},
      {"bbcc/tower", fmt::format("ten cuboids stand for a minute; {}", kPaper), tower,
       tower_figure},
  };
}

}  // namespace grouser::internal
