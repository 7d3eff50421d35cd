#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lab/scm_reproduction_parts.h"
#include "rigs/drawbar_rig.h"

/// Wheels and rovers that roll.
namespace grouser::internal {
namespace {

/// Of a locked wheel, over the first and the last part of its way [N].
struct Resistance {
  double early = 0, late = 0;
};

/// Pushes a locked wheel at a fixed depth [m].
Resistance pushed_at_depth(double depth, ScmOptions::Deformation deformation) {
  constexpr double kStep = 0.01, kSpeed = 0.1, kWay = 0.4;  // [s], [m/s], [m]
  const WheelRigSpec spec = quick_wheel_rig();
  ScmOptions options;
  options.deformation = deformation;
  LedBody wheel(make_wheel(spec.wheel),
                {.soil = spec.soil,
                 .spacing = spec.spacing,
                 .area = {Vec2(-0.4, -0.4), Vec2(kWay + 0.4, 0.4)}},
                options);
  Pose X;
  X.p.z() = spec.wheel.radius;
  wheel.start(X);
  const auto go_to = [&](double x, double z) {
    X.p = Vec3(x, 0, z);
    const double force = -wheel.step(X, kStep).wrench.force.x();
    wheel.update(kStep);
    return force;
  };
  constexpr int kDown = 50;
  for (int k = 1; k <= kDown; ++k) go_to(0, spec.wheel.radius - depth * k / kDown);
  Resistance sum, count;
  for (int k = 1; k <= std::lround(kWay / (kSpeed * kStep)); ++k) {
    const double x = kSpeed * kStep * k, force = go_to(x, spec.wheel.radius - depth);
    if (x >= 0.05 && x <= 0.1) sum.early += force, count.early += 1;
    if (x >= 0.35) sum.late += force, count.late += 1;
  }
  return {sum.early / count.early, sum.late / count.late};
}

Signal table(std::vector<double> time, std::vector<double> value) {
  Signal signal =
      TableSignal{.time = std::move(time), .value = std::move(value), .curve = TableCurve::linear};
  prepare(signal);
  return signal;
}

/// Listens to the side gauge of the wheel rig.
class SideGauge : public Observer {
 public:
  explicit SideGauge(double from) : from_(from) {}

  void on_sample(const Sample& sample) override {
    if (sample.time < from_) return;
    sum_ += sample.actuator_effort[1];
    sink_ += sample.wheels.front().sinkage;
    count_ += 1;
  }
  double force() const { return sum_ / count_; }     ///< mean [N]
  double sinkage() const { return sink_ / count_; }  ///< mean [m]

 private:
  double from_, sum_ = 0, sink_ = 0, count_ = 0;
};

/// Pushes a wheel sideways that has rolled `way` [m] before, and holds it there in the middle of its rut.
/// Mean over the second half of the push.
SideGauge pushed_sideways(double way) {
  constexpr double kSideSpeed = 0.05, kSide = 0.03;  // [m/s], [m]
  WheelRigSpec spec = quick_wheel_rig();
  spec.distance = 0.4;
  const double begin = kSettleTime, roll = 2 * way / spec.speed;
  World world = wheel_rig_world(spec, {.slip = 0.4});
  // Forth and back again half the way: it stands on rut ahead and behind.
  const double forth = begin + roll / 2, back = forth + roll / 4, start = back + 0.5;
  const double rim = 1 / (spec.wheel.radius * (1 - 0.4));
  const auto drive = [&](double factor) {
    if (way == 0) return table({0}, {0});
    const double v = factor * spec.speed;
    return table({0, begin, begin + 0.05, forth, forth + 0.05, back, back + 0.05},
                 {0, 0, v, v, -v, -v, 0});
  };
  world.joint_commands = {
      {0, TargetQuantity::velocity, drive(1)},
      {1, TargetQuantity::velocity, table({0, start, start + 0.05}, {0, 0, kSideSpeed})},
      {2, TargetQuantity::velocity, drive(rim)}};
  world.settings.duration = start + kSide / kSideSpeed;
  SideGauge gauge(start + 0.5 * kSide / kSideSpeed);
  simulate(world, initial_state(world), {.end_time = world.settings.duration}, gauge);
  return gauge;
}

/// Strongest line of a quantity's spectrum between two frequencies [Hz]: by correlation with sines, after
/// taking out mean and trend, with a window that fades at both ends.
double dominant_line(const std::vector<WheelSampleOnRig>& trace, double from, double low,
                     double high, double WheelSampleOnRig::*value) {
  std::vector<double> t, y;
  for (const WheelSampleOnRig& sample : trace) {
    if (sample.time < from) continue;
    t.push_back(sample.time - from);
    y.push_back(sample.*value);
  }
  const double count = static_cast<double>(t.size());
  double st = 0, sy = 0, stt = 0, sty = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    st += t[k], sy += y[k], stt += t[k] * t[k], sty += t[k] * y[k];
  }
  const double slope = (count * sty - st * sy) / (count * stt - st * st);
  double best = 0, strongest = 0;
  for (double f = low; f <= high; f += 0.02) {
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double fade = 1 - std::cos(2 * std::numbers::pi * t[k] / t.back());
      const double rest = y[k] - sy / count - slope * (t[k] - st / count);
      sum += fade * rest * std::polar(1.0, -2 * std::numbers::pi * f * t[k]);
    }
    if (std::abs(sum) <= strongest) continue;
    strongest = std::abs(sum);
    best = f;
  }
  return best;
}

}  // namespace

WheelRigSpec quick_wheel_rig() {
  WheelRigSpec spec;
  spec.soil = find_soil("dry_sand");
  spec.spacing = 0.01;
  spec.speed = 0.1;
  spec.distance = 0.3;
  return spec;
}

WheelSpec grouser_wheel() {
  WheelSpec wheel = smooth_wheel(0.125, 0.1);
  wheel.grousers = {.count = 24, .height = 0.008};
  return wheel;
}

std::vector<ReproductionRow> scm_slip_sinkage() {
  std::vector<ReproductionRow> rows;
  for (const bool grousers : {false, true}) {
    WheelRigSpec spec = quick_wheel_rig();
    if (grousers) spec.wheel = grouser_wheel();
    const char* name = grousers ? "grousers" : "smooth";
    const std::vector<WheelPass> passes =
        run_wheel_sweep(spec, {{.slip = 0}, {.slip = 0.4}, {.slip = 0.8}});
    for (std::size_t k = 1; k < passes.size(); ++k) {
      const WheelPass &less = passes[k - 1], &more = passes[k];
      rows.push_back(holds(fmt::format("{}: sinkage {:.1f} mm at slip {:g} > {:.1f} at {:g}", name,
                                       1e3 * more.sinkage.mean, *more.asked.slip,
                                       1e3 * less.sinkage.mean, *less.asked.slip),
                           more.sinkage.mean > less.sinkage.mean));
    }
  }
  return rows;
}

std::vector<ReproductionRow> scm_multipass() {
  WheelRigSpec spec = quick_wheel_rig();
  spec.passes = 3;
  const std::vector<WheelPass> passes = run_wheel(spec, {.slip = std::nullopt});
  std::vector<ReproductionRow> rows;
  for (std::size_t k = 1; k < passes.size(); ++k) {
    const double before = -passes[k - 1].pull.mean, now = -passes[k].pull.mean;
    rows.push_back(holds(
        fmt::format("free rolling: {:.2f} N in pass {} < {:.2f} N before", now, k + 1, before),
        now < before));
  }
  return rows;
}

// At a given depth, as in Reece's equation of earthmoving, where the hump adds to the surcharge. Under a held
// load the depth is free: the hump carries part of the load and lifts the wheel, and no theory says what the
// resistance does.
std::vector<ReproductionRow> scm_bulldozing() {
  const Resistance held = pushed_at_depth(0.02, ScmOptions::Deformation::classic);
  const Resistance still = pushed_at_depth(0.02, ScmOptions::Deformation::none);
  return {
      holds(fmt::format("depth held: {:.1f} N at 0.35-0.4 m > {:.1f} N at 0.05-0.1 m", held.late,
                        held.early),
            held.late > held.early),
      holds(fmt::format("depth held: growth {:.1f} N > {:.1f} N where no soil moves",
                        held.late - held.early, still.late - still.early),
            held.late - held.early > still.late - still.early),
  };
}

std::vector<ReproductionRow> scm_lateral() {
  const SideGauge outside = pushed_sideways(0), inside = pushed_sideways(0.3);
  return {holds(
      fmt::format("lateral {:.1f} N in the rut ({:.1f} mm deep) > {:.1f} N beside ({:.1f})",
                  inside.force(), 1e3 * inside.sinkage(), outside.force(), 1e3 * outside.sinkage()),
      inside.force() > outside.force())};
}

// Of the tests only the range of pull at slip 0.7 can still be read, 240 to 360 N, and that it goes up and down with
// the grousers. The rover to be had 290 kg; that the one tested weighed what this would on Mars is an assumption, and
// so are its wheels, 30 mm wide with 12 grousers of 10 mm. That row has the laws of the paper, whose simulation it is
// compared with: no compaction resistance of slanted faces, friction by speed, flanks that thrust. Without grousers
// pull is below W tan phi then, 256 N. Bars of 3 mm want a finer grid than 10 mm.
std::vector<ReproductionRow> scm_drawbar() {
  DrawbarSpec spec;
  spec.spacing = 0.01;
  spec.distance = 0.1;
  spec.scm.deformation = ScmOptions::Deformation::none;
  const std::vector<double> slips = {0.4, 0.65, 0.9};
  const std::vector<DrawbarRun> runs = run_drawbar_sweep(spec, slips);
  std::vector<ReproductionRow> rows;
  for (std::size_t k = 1; k < runs.size(); ++k) {
    rows.push_back(
        holds(fmt::format("64.6 kg: pull {:.0f} N at slip {:g} > {:.0f} N at {:g}",
                          runs[k].tension.mean, slips[k], runs[k - 1].tension.mean, slips[k - 1]),
              runs[k].tension.mean > runs[k - 1].tension.mean));
  }
  const double first = runs[1].tension.mean - runs[0].tension.mean;
  const double last = runs[2].tension.mean - runs[1].tension.mean;
  rows.push_back(
      holds(fmt::format("asymptote: last rise {:.0f} N < half of the first, {:.0f} N", last, first),
            last < 0.5 * first));
  spec.mass = 290;
  spec.gravity = 3.711;
  spec.scm.horizontal = ScmOptions::Horizontal::paper;
  spec.scm.shear = ScmOptions::Shear::coulomb;
  spec.scm.bearing = ScmOptions::Bearing::vertical;
  spec.grousers = {.count = 12, .height = 0.01};
  spec.spacing = 0.005;
  const Spread pull = run_drawbar(spec, 0.7).tension;
  rows.push_back({.quantity = fmt::format("paper's laws, 290 kg at Mars' weight, slip 0.7: 240-360 "
                                          "N, ours +- {:.0f} N",
                                          pull.deviation),
                  .unit = "N",
                  .paper = 300,
                  .expected = {},
                  .ours = pull.mean,
                  .tolerance = 60});
  return rows;
}

// Each grouser in turn shapes the ripple, which is no sine: its strongest line may be a multiple of the rate at
// which they pass. Others are the grid's: tips cross 33 cells a second, less or more multiples of that rate.
std::vector<ReproductionRow> scm_slip60() {
  using Point = WheelSampleOnRig;
  std::vector<ReproductionRow> rows;
  for (const int count : {12, 24}) {
    WheelRigSpec spec;
    spec.wheel = grouser_wheel();
    spec.wheel.grousers.count = count;
    spec.spacing = 0.0025;  // tips are 3 mm wide
    spec.speed = 0.05;
    spec.distance = 0.9;  // 1.4 turns in the half that counts, over which noise averages out
    spec.trace_rate_hz = 100;
    const WheelPass pass = run_wheel(spec, {.slip = 0.6}).front();
    const double rate = spec.speed / (1 - 0.6) / spec.wheel.radius;
    const double end = pass.trace.back().time, from = (kSettleTime + kRampTime + end) / 2;
    const auto add_line = [&](const char* name, double Point::*value) {
      const double line = dominant_line(pass.trace, from, 1, 20, value);
      const double grousers = rate * count / (2 * std::numbers::pi);
      const double multiple = std::max(1.0, std::round(line / grousers));
      rows.push_back({.quantity = fmt::format(
                          "{} grousers: strongest line of {}, 1-20 Hz, as {:g} x {:.2f} Hz", count,
                          name, multiple, grousers),
                      .unit = "Hz",
                      .expected = multiple * grousers,
                      .ours = line,
                      .tolerance = 1 / (end - from)});  // what so short a trace can tell apart
    };
    rows.push_back({.quantity = fmt::format("{} grousers: mean load", count),
                    .unit = "N",
                    .expected = spec.load,
                    .ours = pass.load.mean,
                    .tolerance = 0.02 * spec.load});
    add_line("traction", &Point::pull);
    add_line("torque", &Point::torque);
  }
  return rows;
}

// Soil between grousers that slides along their tips is a mechanism of failure, so by the upper bound theorem of
// plasticity the thrust is at most the strength there: N tan phi + c A. Seen from above, contact is taken as the
// front half of what the tips' circle cuts out. Soil is as rough as soil, so grousers add little here but their height.
std::vector<ReproductionRow> scm_thrust() {
  std::vector<ReproductionRow> rows;
  WheelRigSpec spec;
  spec.soil.shear_modulus = 0.01;
  spec.speed = 0.1;
  spec.distance = 0.3;
  for (const int count : {12, 24}) {
    for (const double spacing : {0.005, 0.0025}) {
      spec.wheel = grouser_wheel();
      spec.wheel.grousers.count = count;
      spec.spacing = spacing;
      const WheelPass pass = run_wheel(spec, {.slip = 0.3}).front();
      const double tips = spec.wheel.radius + spec.wheel.grousers.height;
      const double area = spec.wheel.width * std::sqrt(2 * tips * pass.sinkage.mean);
      const double strength =
          pass.load.mean * std::tan(spec.soil.friction_angle) + spec.soil.cohesion * area;
      const double thrust = pass.torque.mean / tips;
      rows.push_back(holds(fmt::format("{} grousers, {:g} mm: thrust {:.1f} N < strength {:.1f} N",
                                       count, 1e3 * spacing, thrust, strength),
                           thrust < strength));
    }
  }
  return rows;
}

std::vector<ReproductionRow> convergence_from(double spacing) {
  using Deformation = ScmOptions::Deformation;
  WheelRigSpec spec;
  spec.soil.shear_modulus = 0.01;
  spec.speed = 0.1;
  spec.distance = 0.6;
  std::vector<ReproductionRow> rows;
  for (const Deformation deformation :
       {Deformation::classic, Deformation::flow, Deformation::none}) {
    spec.scm.deformation = deformation;
    const char* name = deformation == Deformation::none   ? "none"
                       : deformation == Deformation::flow ? "flow"
                                                          : "classic";
    spec.spacing = spacing;
    const WheelPass coarse = run_wheel(spec, {.slip = 0.3}).front();
    spec.spacing = spacing / 2;
    const WheelPass fine = run_wheel(spec, {.slip = 0.3}).front();
    const auto add = [&](const char* what, double then, double now, double whole, double factor) {
      rows.push_back({.quantity = fmt::format("{}, {}: {:.4g} to {:.4g}", name, what, factor * then,
                                              factor * now),
                      .unit = "%",
                      .expected = 0,
                      .ours = 100 * (now - then) / whole,
                      .tolerance = 5});
    };
    add("pull [N], change / load", coarse.pull.mean, fine.pull.mean, spec.load, 1);
    add("torque [N m]", coarse.torque.mean, fine.torque.mean, fine.torque.mean, 1);
    add("sinkage [mm]", coarse.sinkage.mean, fine.sinkage.mean, fine.sinkage.mean, 1e3);
    if (coarse.rut_depth && fine.rut_depth) {
      add("rut [mm]", *coarse.rut_depth, *fine.rut_depth, *fine.rut_depth, 1e3);
    }
  }
  return rows;
}

std::vector<ReproductionRow> scm_convergence() { return convergence_from(0.01); }

}  // namespace grouser::internal
