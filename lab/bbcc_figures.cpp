#include "lab/bbcc_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "lab/bbcc_set_ups.h"
#include "lab/scene_parts.h"

namespace grouser::internal {
namespace {

using T = BbccTable1;

double speed_along(const Track::Point& point) { return point.V.linear.x(); }
double speed_up(const Track::Point& point) { return point.V.linear.z(); }
double speed_of_rim(const Track::Point& point) { return T::kRadius * point.V.angular.y(); }
double spin_rate(const Track::Point& point) { return point.V.angular.z(); }

Series over_time(std::string label, const Track& track,
                 const std::function<double(const Track::Point&)>& value) {
  Series series{.label = std::move(label)};
  for (const Track::Point& point : track.points()) {
    series.x.push_back(point.time);
    series.y.push_back(value(point));
  }
  return series;
}

/// A straight line from a value at time 0, no further than to zero if it falls.
Series law(std::string label, double start, double rate, double end) {
  const double last = rate < 0 ? std::min(end, -start / rate) : end;
  return {
      .label = std::move(label), .x = {0, last}, .y = {start, start + rate * last}, .dashed = true};
}

Panel speed_panel(std::string title, std::vector<Series> series) {
  return {.title = std::move(title),
          .x = {.label = "time [s]"},
          .y = {.label = "speed [m/s]"},
          .series = std::move(series)};
}

}  // namespace

Figure impact_figure() {
  Panel up = speed_panel("normal speed, no friction", {});
  Panel along = speed_panel("tangential speed, ζ = 0.6", {});
  const auto track = [](double restitution, double friction) {
    const Roller roller{.rate_hz = 5000,
                        .restitution = restitution,
                        .friction = friction,
                        .gravity = 0,
                        .height = 0.02,
                        .v = Vec3(0.5, 0, -1)};
    return Track(roller.world(), 0.06);
  };
  for (const double restitution : {1., 0.6, 0.}) {
    up.series.push_back(
        over_time(fmt::format("ζ = {:g}", restitution), track(restitution, 0), speed_up));
  }
  const Track rough = track(0.6, T::kFriction);
  along.series = {over_time("μ = 0", track(0.6, 0), speed_along),
                  over_time("μ = 0.4", rough, speed_along),
                  over_time("μ = 0.4: r ω", rough, speed_of_rim)};
  return {.panels = {up, along}};
}

Figure hertz_figure() {
  const double modulus = T::kYoung / (2 * (1 - T::kPoisson * T::kPoisson));
  Panel panel{.title = "pressed spheres",
              .x = {.label = "depth [m]", .logarithmic = true},
              .y = {.label = "force [N]", .logarithmic = true}};
  struct Case {
    const char* name;
    Convex below;
    double top, radius;  // of what is below; effective [m]
  };
  for (const Case& c :
       {Case{"on a sphere of 0.25 m", SphereShape{0.25}, 0.25, 1 / (1 / T::kRadius + 4)},
        Case{"on a plane", BoxShape{Vec3(4, 4, 1)}, 0.5, T::kRadius}}) {
    Series ours{.label = c.name, .line = false, .markers = true};
    Series hertz{.label = "Hertz", .dashed = true};
    for (int k = 0; k <= 16; ++k) {
      const double depth = std::pow(10, -5 + 0.2 * k);
      const Pose X{Mat3::Identity(), Vec3(0, 0, T::kRadius + c.top - depth)};
      for (Series* series : {&ours, &hertz}) series->x.push_back(depth);
      ours.y.push_back(pressed_force(SphereShape{T::kRadius}, X, c.below));
      hertz.y.push_back(4.0 / 3.0 * modulus * std::sqrt(c.radius) * std::pow(depth, 1.5));
    }
    const int style = static_cast<int>(panel.series.size() / 2);
    ours.style = hertz.style = style;
    if (style > 0) hertz.label.clear();
    panel.series.push_back(std::move(ours));
    panel.series.push_back(std::move(hertz));
  }
  return {.panels = {panel}};
}

Figure sliding_figure() {
  Roller roller = resting_roller();
  roller.rotates = false;
  roller.v.x() = 2;
  return {.panels = {speed_panel("sliding without rotation",
                                 {over_time("ours", Track(roller.world(), 0.8), speed_along),
                                  law("v₀ - μ g t", 2, -T::kFriction * T::kGravity, 0.8)})}};
}

Figure rolling_figure() {
  const double both = 1 / std::sqrt(1 + T::kInertia / (T::kRadius * T::kRadius));
  struct Case {
    const char* name;
    double v, w;
  };
  Figure figure{.columns = 3, .panel_width = 400, .panel_height = 320};
  for (const Case& c :
       {Case{"translation only", 1, 0}, Case{"rotation only", 0, 1 / std::sqrt(T::kInertia)},
        Case{"both, matched", both, both / T::kRadius}}) {
    Roller roller = resting_roller();
    roller.v.x() = c.v;
    roller.w.y() = c.w;
    const Track track(roller.world(), 0.5);
    Panel panel = speed_panel(
        c.name, {over_time("v", track, speed_along), over_time("r ω", track, speed_of_rim)});
    panel.y.low = 0;
    panel.y.high = 1.1;
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure incline_low_figure() {
  const double slope = 0.2;
  Roller roller = resting_roller(std::atan(slope));
  roller.rotates = false;
  roller.rate_hz = 2000;
  const Track creep(roller.world(), 0.1);
  roller.material = {{"static_friction", 0.5}, {"decay", 100}};
  const Track sticking(roller.world(), 0.1);
  Series plain = law("its law", T::kDeadBand * std::atanh(slope / T::kFriction), 0, 0.1);
  Series stuck = law("its law", T::kDeadBand * (1 - std::sqrt(1 - slope / 0.5)), 0, 0.1);
  plain.style = 0;
  stuck.style = 1;
  Panel panel =
      speed_panel("creep, tan i = 0.2, μ = 0.4",
                  {over_time("tanh", creep, speed_along),
                   over_time("with stiction, μₛ = 0.5", sticking, speed_along), plain, stuck});
  return {.panels = {panel}};
}

Figure incline_high_figure() {
  const double i = std::atan(0.8);
  Roller roller = resting_roller(i);
  roller.rotates = false;
  const double rate = T::kGravity * (std::sin(i) - T::kFriction * std::cos(i));
  return {.panels = {speed_panel("sliding down, tan i = 0.8, μ = 0.4",
                                 {over_time("ours", Track(roller.world(), 1), speed_along),
                                  law("g (sin i - μ cos i) t", 0, rate, 1)})}};
}

Figure incline_roll_figure() {
  const double i = std::atan(0.2);
  const Track track(resting_roller(i).world(), 2);
  const double rate = T::kGravity * std::sin(i) / (1 + T::kInertia / (T::kRadius * T::kRadius));
  return {.panels = {speed_panel(
              "rolling down, tan i = 0.2",
              {over_time("v", track, speed_along), over_time("r ω", track, speed_of_rim),
               law("g sin i t / (1 + I/(m r²))", 0, rate, 2)})}};
}

namespace {

/// Where a lying cylinder goes that spins and slides.
Series path_of_spinning_cylinder(std::string label, bool single_point) {
  Roller lying = resting_roller();
  lying.v.x() = 1;
  lying.w.z() = 6;
  lying.single_point = single_point;
  lying.integrator = fixed_step("semi_implicit", 5e-5);  // one point jumps, which others refuse
  Series path{.label = std::move(label), .dashed = single_point};
  const Track track(lying.world(), 1);
  for (const Track::Point& point : track.points()) {
    path.x.push_back(point.p.x());
    path.y.push_back(point.p.y());
  }
  return path;
}

}  // namespace

Figure spin_figure() {
  Roller ball = resting_roller();
  ball.shape = sphere_shape(0.5);
  ball.w.z() = 6;
  ball.integrator = fixed_step("rk4", 0.0005);
  ball.rate_hz = 10;
  Roller lying = resting_roller();
  lying.w.z() = 6;
  const double disc = std::sqrt(T::kRadius * static_depth(T::kGravity));
  const double rate = -3 * std::numbers::pi / 16 * T::kFriction * T::kGravity * disc / T::kInertia;
  const Track of_ball(ball.world(), 60), of_cylinder(lying.world(), 1);
  Panel slow = speed_panel("ball", {over_time("ours", of_ball, spin_rate),
                                    law("Hertz' disc: ω₀ - 3π/16 μ g m a t/I", 6, rate, 60)});
  Panel fast = speed_panel("lying cylinder", {over_time("ours", of_cylinder, spin_rate)});
  slow.y.label = fast.y.label = "spin about the normal [rad/s]";
  Panel path{.title = "path of a lying cylinder that slides as well, in 1 s",
             .x = {.label = "x [m]"},
             .y = {.label = "y [m]"},
             .series = {path_of_spinning_cylinder("patches", false),
                        path_of_spinning_cylinder("one point, as the paper", true)}};
  return {.panels = {slow, fast, path}, .columns = 3};
}

Figure parcours_figure() {
  Series candidates{.label = "pass group and box"}, touching{.label = "touch"}, path;
  for (const PairCount::Point& point : parcours_count().points) {
    candidates.x.push_back(point.time);
    candidates.y.push_back(point.candidates);
    touching.x.push_back(point.time);
    touching.y.push_back(point.touching);
    path.x.push_back(point.chassis.x());
    path.y.push_back(point.chassis.z());
  }
  Panel pairs{.title = "pairs of parts, of 57 × 38",
              .x = {.label = "time [s]"},
              .y = {.label = "pairs", .low = 0},
              .series = {candidates, touching}};
  Panel chassis{.title = "path of the chassis",
                .x = {.label = "x [m]"},
                .y = {.label = "z [m]"},
                .series = {path}};
  return {.panels = {pairs, chassis}};
}

Figure tower_figure() {
  /// Fastest body over time.
  class Watch : public Observer {
   public:
    void on_sample(const Sample& sample) override {
      double fastest = 0;
      for (const Twist& V : sample.V_WB) fastest = std::max(fastest, V.linear.norm());
      series.x.push_back(sample.time);
      series.y.push_back(fastest);
    }
    Series series;
  };
  Panel panel{.title = "ten boxes on each other",
              .x = {.label = "time [s]"},
              .y = {.label = "fastest speed [m/s]", .logarithmic = true}};
  for (const bool single_point : {false, true}) {
    const World world = Tower{.single_point = single_point}.world();
    Watch watch;
    simulate(world, initial_state(world), {.end_time = 4}, watch);
    watch.series.label = single_point ? "one point, as the paper" : "patches";
    panel.series.push_back(std::move(watch.series));
  }
  return {.panels = {panel}};
}

}  // namespace grouser::internal
