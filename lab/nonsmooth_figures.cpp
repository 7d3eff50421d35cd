#include "lab/nonsmooth_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "lab/nonsmooth_set_ups.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

/// Samples of a track that are drawn.
struct Window {
  double from = 0, to = 1e9;  // [s]
  std::size_t every = 1;      // so many samples apart
};

template <class Value>
Series over_time(std::string label, const BodyTrack& track, const Value& value,
                 const Window& window = {}) {
  Series series{.label = std::move(label)};
  for (std::size_t k = 0; k < track.time.size(); k += window.every) {
    if (track.time[k] < window.from || track.time[k] > window.to) continue;
    series.x.push_back(track.time[k]);
    series.y.push_back(value(track, k));
  }
  return series;
}

template <class Value>
Series over_time(std::string label, const Track& track, const Value& value) {
  Series series{.label = std::move(label)};
  for (const Track::Point& point : track.points()) {
    series.x.push_back(point.time);
    series.y.push_back(value(point));
  }
  return series;
}

/// A closed form at a few times.
Series closed_form(std::string label, std::vector<double> x, std::vector<double> y) {
  return {.label = std::move(label),
          .x = std::move(x),
          .y = std::move(y),
          .line = false,
          .markers = true};
}

Panel over_seconds(std::string title, const char* label, std::vector<Series> series) {
  return {.title = std::move(title),
          .x = {.label = "time [s]"},
          .y = {.label = label},
          .series = std::move(series)};
}

}  // namespace

Figure block_figure() {
  const double limit = std::atan(kBlockFriction);
  Panel panel = over_seconds("Block on an incline, friction 0.5", "speed downhill [m/s]", {});
  Series law = closed_form("g (sin i − μ cos i) t", {}, {});
  for (const double beyond : {-0.1, 0.5, 1.0, 2.0}) {
    const double incline = limit + beyond * kDegree;
    const double a = 9.81 * (std::sin(incline) - kBlockFriction * std::cos(incline));
    panel.series.push_back(
        over_time(fmt::format("{:+.1f}° from atan μ", beyond), block_on_incline(incline, 2),
                  [](const BodyTrack& track, std::size_t k) { return track.velocity[k].x(); }));
    if (beyond < 0) continue;
    for (const double t : {1, 2}) {
      law.x.push_back(t);
      law.y.push_back(a * t);
    }
  }
  panel.series.push_back(law);
  return {.panels = {panel}};
}

Figure bounce_figure() {
  const BodyTrack track = bouncing_sphere(4);
  Series tops{.label = "tops at e²ⁿ h₀", .line = false, .markers = true};
  const double fall = std::sqrt(2 / 9.81);
  double time = fall, height = 1, flight = fall;
  for (int n = 1; n <= 8; ++n) {
    height *= kBounceRestitution * kBounceRestitution;
    flight *= kBounceRestitution;
    tops.x.push_back(time + flight);
    tops.y.push_back(height);
    time += 2 * flight;
  }
  return {.panels = {over_seconds("Sphere with restitution 0.8", "height [m]",
                                  {over_time("sphere", track,
                                             [](const BodyTrack& t, std::size_t k) {
                                               return t.position[k].z() - kBounceRadius;
                                             }),
                                   tops})}};
}

Figure turning_figure() {
  using T = BbccTable1;
  const double a = kTurningLength * T::kGravity / (T::kRadius + T::kInertia / T::kRadius);
  const double spin = kTurningLength * T::kGravity / T::kInertia;
  return {
      .panels = {
          over_seconds(
              "Ball rolling out, ρ = 20 mm", "speed [m/s]",
              {over_time("speed", turning_ball(0, 1, 0, 7),
                         [](const Track::Point& p) { return p.V.linear.x(); }),
               over_time("radius · rate", turning_ball(0, 1, 0, 7),
                         [](const Track::Point& p) { return T::kRadius * p.V.angular.y(); }),
               closed_form("ρ g/(r + I/(m r))", {1, 3, 1 / a}, {1 - a, 1 - 3 * a, 0})}),
          over_seconds("Ball spinning, 20 mm", "rate [rad/s]",
                       {over_time("rate", turning_ball(0, 0, 2, 4),
                                  [](const Track::Point& p) { return p.V.angular.z(); }),
                        closed_form("s m g/I", {1, 2, 2 / spin}, {2 - spin, 2 - 2 * spin, 0})})}};
}

Figure step_figure() {
  const StepRun smooth = drive_at_step(0.35), rough = drive_at_step(0.8);
  const auto height = [](const BodyTrack& t, std::size_t k) { return t.position[k].z(); };
  const auto up = [](const BodyTrack& t, std::size_t k) { return t.velocity[k].z(); };
  const auto speed = [&](const char* title, const Window& window) {
    return over_seconds(title, "velocity up [m/s]",
                        {over_time("friction 0.8", rough.track, up, window)});
  };
  const Window rarely{.every = 50};
  return {.panels = {over_seconds("Rover at a step of 0.1 m", "height of the last wheel [m]",
                                  {over_time("friction 0.35", smooth.track, height, rarely),
                                   over_time("friction 0.8", rough.track, height, rarely)}),
                     speed("The last wheel lands: velocity jumps", {.from = 0, .to = 0.5}),
                     speed("It climbs", {.from = 5.5, .to = 8.5, .every = 5})}};
}

Figure slope_figure() {
  RoverStepper rover = slope_rover();
  Series speed{.label = "trunk"}, rim{.label = "rim of a back wheel", .dashed = true};
  Series reference{.label = "reference", .line = false, .markers = true};
  for (double t = 0.5; t <= 250; t += 0.5) {
    rover.run_to(t);
    speed.x.push_back(t);
    speed.y.push_back(rover.v());
    rim.x.push_back(t);
    rim.y.push_back(-30 * rover.wheel_rate(3));
  }
  for (const SlopeInstant& instant : kSlope) {
    reference.x.push_back(instant.time);
    reference.y.push_back(instant.v / std::cos(0.02));
  }
  Panel all{.title = "Slope of 0.02 rad, six phases of torque",
            .x = {.label = "time [s]"},
            .y = {.label = "speed downhill [cm/s]", .low = -150.0},
            .series = {speed, rim, reference}};
  Panel held = all;
  held.title = "The phases before the wheels spin";
  held.x.high = 200;
  held.y.low = -12;
  held.y.high = 12;
  return {.panels = {all, held}};
}

Figure hold_figure() {
  RoverStepper rover = held_rover();
  Series way{.label = "trunk"};
  double x30 = 0;
  for (double t = 1; t <= 40; t += 0.25) {
    rover.run_to(t);
    way.x.push_back(t);
    way.y.push_back(rover.x() * std::cos(kHoldSlope));
    if (t == 30) x30 = way.y.back();
  }
  Series reference = closed_form("reference", {35, 40}, {x30 + 0.055773, x30 + 0.235039});
  return {.panels = {over_seconds("Held by torque on 9.8°, ramp from 30 s", "way uphill [m]",
                                  {way, reference})}};
}

}  // namespace grouser::internal
