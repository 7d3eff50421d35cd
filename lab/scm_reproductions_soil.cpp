#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/laws/bekker.h"
#include "geometry/primitives.h"
#include "lab/scm_reproduction_parts.h"
#include "math/angle.h"
#include "terrain/slope_check.h"

/// Energy and volume of the soil.
namespace grouser::internal {
namespace {

Pose at_point(double x, double y, double z, double turned = 0) {
  Pose X;
  X.R = Eigen::AngleAxisd(turned, Vec3::UnitY()).toRotationMatrix();
  X.p = Vec3(x, y, z);
  return X;
}

/// Only Bekker's law: no width, no strength.
Soil frictionless() {
  Soil soil = find_soil("dlr_a");
  soil.cohesive_modulus = 0;
  soil.frictional_modulus = 2e5;
  soil.cohesion = 0;
  soil.friction_angle = 1e-9;
  return soil;
}

BekkerLaw law_of(const Soil& soil, const ScmOptions& options) {
  return {.stiffness = soil.frictional_modulus,
          .exponent = soil.sinkage_exponent,
          .unloading = options.unloading};
}

/// Keeps the books of a body that is led through soil that does not move: the work it does, and the area
/// of each column that it presses.
class EnergyBooks {
 public:
  EnergyBooks(const TriMesh& mesh, const RigGround& ground, const ScmOptions& options)
      : body_(mesh, ground, options),
        law_(law_of(ground.soil, options)),
        area_(body_.soil().map.grid().size(), 0) {}

  void start(const Pose& X_WB) { body_.start(X_WB); }

  void step(const Pose& X_WB) {
    const Vec3 before = force_;
    const Vec3 moved = X_WB.p - body_.pose().p;
    force_ = body_.step(X_WB, 1).wrench.force;
    work -= 0.5 * (before + force_).dot(moved);
    const SoilWindow& window = body_.footprint().window;
    const GridSpec& grid = body_.soil().map.grid();
    const ContactCells& cells = body_.footprint().cells;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const int nx = window.grid.nx, i = cells.node[c] % nx, j = cells.node[c] / nx;
      double& area = area_[grid.index(window.i0 + i, window.j0 + j)];
      area = std::max(area, cells.coverage[c] * grid.spacing * grid.spacing);
    }
  }

  /// Work that the columns have taken for good: of pressing them, less what they gave back [J].
  double plastic() const {
    const GridSpec& grid = body_.soil().map.grid();
    double sum = 0;
    for (int j = 0; j < grid.ny; ++j) {
      for (int i = 0; i < grid.nx; ++i) {
        const double z = law_.deepest_before(body_.soil().memory.get(i, j).sunk);
        const double given_back = 0.5 * law_.virgin_pressure(z) * z / law_.unloading;
        sum += area_[grid.index(i, j)] * (law_.work(z) - given_back);
      }
    }
    return sum;
  }

  double work = 0;  ///< done on the soil so far [J]

 private:
  LedBody body_;
  BekkerLaw law_;
  std::vector<double> area_;  // pressed, per column [m²]
  Vec3 force_ = Vec3::Zero();
};

ScmOptions still_soil() {
  ScmOptions options;
  options.deformation = ScmOptions::Deformation::none;
  options.damping = 0;
  return options;
}

/// Work put in over work kept by the soil, of a plate that is pressed in and drawn out.
double plate_balance() {
  constexpr double kDepth = 0.03;
  const RigGround ground{.soil = frictionless(),
                         .spacing = 0.005,
                         .area = {Vec2::Constant(-0.2), Vec2::Constant(0.2)}};
  EnergyBooks books(box_mesh(Vec3(0.2, 0.1, 0.1), 20), ground, still_soil());
  books.start(at_point(0, 0, 0.05));
  constexpr int kSteps = 300;
  for (int k = 1; k <= kSteps; ++k) books.step(at_point(0, 0, 0.05 - kDepth * k / kSteps));
  for (int k = kSteps - 1; k >= 0; --k) books.step(at_point(0, 0, 0.05 - kDepth * k / kSteps));
  return books.work / books.plastic();
}

/// The same of a wheel that is pressed in, rolls, and is drawn out.
double wheel_balance(double spacing) {
  constexpr double kRadius = 0.125, kDepth = 0.015, kWay = 0.3;
  const RigGround ground{.soil = frictionless(),
                         .spacing = spacing,
                         .area = {Vec2(-0.2, -0.15), Vec2(kWay + 0.2, 0.15)}};
  EnergyBooks books(make_wheel(smooth_wheel(kRadius, 0.1)), ground, still_soil());
  const double step = spacing / 20;
  const int down = static_cast<int>(std::ceil(kDepth / (step / 4)));
  const int along = static_cast<int>(std::ceil(kWay / step));
  books.start(at_point(0, 0, kRadius));
  for (int k = 1; k <= down; ++k) books.step(at_point(0, 0, kRadius - kDepth * k / down));
  for (int k = 1; k <= along; ++k) {
    const double x = kWay * k / along;
    books.step(at_point(x, 0, kRadius - kDepth, x / kRadius));
  }
  for (int k = down - 1; k >= 0; --k) {
    books.step(at_point(kWay, 0, kRadius - kDepth * k / down, kWay / kRadius));
  }
  return books.work / books.plastic();
}

void add_volume_rows(const char* name, LedBody& body, double repose,
                     std::vector<ReproductionRow>& rows) {
  const double displaced =
      body.soil().displaced * std::pow(body.soil().map.grid().spacing, 2);  // [m³]
  const double lost = volume_change(body.soil());
  body.lift();
  const double lost_after = volume_change(body.soil());
  rows.push_back(
      {.quantity = fmt::format("{}: |volume| / {:.3g} L displaced", name, 1e3 * displaced),
       .unit = "-",
       .expected = 0,
       .ours = std::max(std::abs(lost), std::abs(lost_after)) / displaced,
       .tolerance = 1e-12});
  rows.push_back({.quantity = fmt::format("{}: steepest slope above psi, body taken away", name),
                  .unit = "deg",
                  .expected = 0,
                  .ours = std::max(0.0, excess_slope(body.soil().map, repose) / kDegree),
                  .tolerance = 0.1});
}

}  // namespace

std::vector<ReproductionRow> scm_compaction() {
  WheelRigSpec spec;
  spec.soil = frictionless();
  spec.speed = 0.2;
  spec.distance = 0.4;
  spec.spacing = spec.wheel.radius / 25;
  spec.scm.deformation = ScmOptions::Deformation::none;
  spec.scm.unloading = 200;  // next to nothing is given back, as Bekker's formula has it
  const WheelPass pass = run_wheel(spec, {.slip = 0}).front();
  const double n = spec.soil.sinkage_exponent;
  const double closed_form = spec.wheel.width * spec.soil.frictional_modulus *
                             std::pow(pass.sinkage.mean, n + 1) / (n + 1);
  return {{.quantity = "wheel: resistance / (b k z^(n+1)/(n+1)), ds = r/25",
           .unit = "-",
           .expected = 1,
           .ours = -pass.pull.mean / closed_form,
           .tolerance = 0.05},
          {.quantity = "plate: work put in / kept by the columns",
           .unit = "-",
           .expected = 1,
           .ours = plate_balance(),
           .tolerance = 0.01},
          {.quantity = "wheel: work put in / kept by the columns, ds = r/25",
           .unit = "-",
           .expected = 1,
           .ours = wheel_balance(0.125 / 25),
           .tolerance = 0.01}};
}

std::vector<ReproductionRow> scm_volume() {
  constexpr double kStep = 0.01;  // [s]
  const Soil soil = find_soil("dry_sand");
  const double psi = soil.repose_angle;
  const RigGround ground{.soil = soil, .spacing = 0.01, .area = {Vec2(-0.5, -0.5), Vec2(1.0, 0.5)}};
  std::vector<ReproductionRow> rows;

  const WheelSpec spec = grouser_wheel();
  LedBody wheel(make_wheel(spec), ground, {});
  const double reach = spec.radius + spec.grousers.height;
  wheel.start(at_point(0, 0, reach));
  for (int k = 1; k <= 250; ++k) {  // sinks, then rolls with 60 % slip
    const double x = 0.002 * std::max(0, k - 50);
    wheel.step(at_point(x, 0, reach - 0.03 * std::min(1.0, k / 50.), x / spec.radius / 0.4), kStep);
    wheel.update(kStep);
  }
  add_volume_rows("rolled", wheel, psi, rows);

  LedBody plate(box_mesh(Vec3(0.2, 0.15, 0.2), 20), ground, {});
  plate.start(at_point(0, 0, 0.1));
  for (int k = 1; k <= 60; ++k) {
    plate.step(at_point(0, 0, 0.1 - 0.001 * k), kStep);
    plate.update(kStep);
  }
  add_volume_rows("pressed", plate, psi, rows);

  LedBody blade(box_mesh(Vec3(0.04, 0.3, 0.2), 20), ground, {});
  blade.start(at_point(0, 0, 0.1));
  for (int k = 1; k <= 250; ++k) {
    const double x = 0.002 * std::max(0, k - 50);
    blade.step(at_point(x, 0, 0.1 - 0.03 * std::min(1.0, k / 50.)), kStep);
    blade.update(kStep);
  }
  add_volume_rows("ploughed", blade, psi, rows);
  return rows;
}

}  // namespace grouser::internal
