#include "lab/scm_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geometry/primitives.h"
#include "lab/scm_reproduction_parts.h"
#include "rigs/bevameter.h"
#include "rigs/identify_soil.h"

namespace grouser::internal {

ReproductionRow holds(std::string claim, bool true_or_not) {
  return {.quantity = std::move(claim),
          .unit = "1: yes",
          .expected = 1,
          .ours = true_or_not ? 1. : 0.,
          .tolerance = 0};
}

namespace {

/// Values furthest from the truth over random positions of the grid.
struct WorstFit {
  double k_c, k_phi, n;
};

WorstFit worst_fit(double spacing) {
  constexpr int kOffsets = 20;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0, 1);
  BevameterSpec spec;
  spec.spacing = spacing;
  spec.points = 4;
  spec.stresses = {};
  const Soil& soil = spec.soil;
  WorstFit worst{soil.cohesive_modulus, soil.frictional_modulus, soil.sinkage_exponent};
  const auto take = [](double value, double truth, double& kept) {
    if (std::abs(value - truth) > std::abs(kept - truth)) kept = value;
  };
  for (int k = 0; k < kOffsets; ++k) {
    const double x = part(random), y = part(random);
    spec.offset = spacing * Vec2(x, y);
    // Intervals are of no interest here.
    const PlateFit fit = identify_plates(plate_tests(run_bevameter(spec)), {.resamples = 2});
    take(fit.cohesive_modulus.value, soil.cohesive_modulus, worst.k_c);
    take(fit.frictional_modulus.value, soil.frictional_modulus, worst.k_phi);
    take(fit.exponent.value, soil.sinkage_exponent, worst.n);
  }
  return worst;
}

/// Pressure over its mean under a disc.
struct PressureShape {
  double most = 0;  ///< γ_max
  double mean = 0;  ///< by area
};

PressureShape pressure_under_disc(const Soil& soil, double spacing) {
  constexpr double kRadius = 0.15, kDepth = 0.02;
  const TriMesh disc = cylinder_mesh(kRadius, 0.1, {.segments = 256, .rings = 20, .cap_rings = 30});
  const ScmOptions options{.damping = 0};
  LedBody body(disc,
               {.soil = soil,
                .spacing = spacing,
                .area = {Vec2::Constant(-0.2), Vec2::Constant(0.2)},
                .offset = Vec2(0.0011, 0.0017)},
               options);
  Pose X;
  X.p.z() = 0.05 - kDepth;
  const ScmForce& force = body.step(X, 1);
  const double mean = force.wrench.force.z() / force.area;
  PressureShape shape;
  double area = 0, sum = 0;
  for (std::size_t k = 0; k < force.loads.size(); ++k) {
    const ContactCell& cell = body.footprint().cells[k];
    const double gamma = force.loads[k].pressure / mean;
    area += cell.coverage;
    sum += cell.coverage * gamma;
    shape.most = std::max(shape.most, gamma);
  }
  shape.mean = sum / area;
  return shape;
}

}  // namespace

std::vector<ReproductionRow> scm_bevameter() {
  struct Case {
    double spacing;                 // [m]
    double paper_k_c, paper_k_phi;  // as printed
    double percent_c, percent_phi;  // what is allowed
  };
  const Soil& soil = find_soil("dlr_a");
  std::vector<ReproductionRow> rows;
  for (const Case& c : {Case{0.010, 2398, 60159, 1.2, 0.25}, Case{0.005, 2377, 60260, 0.3, 0.07},
                        Case{0.002, 2371, 60293, 0.05, 0.012}}) {
    const WorstFit worst = worst_fit(c.spacing);
    const double mm = 1e3 * c.spacing;
    rows.push_back(
        {.quantity = fmt::format("k_c, worst of 20, {:g} mm (paper: {:g})", mm, c.paper_k_c),
         .unit = "N/m^1.63",
         .expected = soil.cohesive_modulus,
         .ours = worst.k_c,
         .tolerance = c.percent_c / 100 * soil.cohesive_modulus});
    rows.push_back(
        {.quantity = fmt::format("k_phi, worst of 20, {:g} mm (paper: {:g})", mm, c.paper_k_phi),
         .unit = "N/m^2.63",
         .expected = soil.frictional_modulus,
         .ours = worst.k_phi,
         .tolerance = c.percent_phi / 100 * soil.frictional_modulus});
    rows.push_back({.quantity = fmt::format("n, worst of 20, {:g} mm (paper: 0.63)", mm),
                    .unit = "-",
                    .expected = soil.sinkage_exponent,
                    .ours = worst.n,
                    .tolerance = 1e-3 * soil.sinkage_exponent});
  }
  return rows;
}

std::vector<ReproductionRow> scm_pressure() {
  Soil friction = find_soil("dlr_a");
  friction.cohesion = 0;
  Soil cohesive = friction;
  cohesive.cohesion = 1e3;
  cohesive.friction_angle = 1e-9;
  std::vector<ReproductionRow> rows;
  struct Case {
    const char* name;
    const char* paper;
    Soil soil;
    double m;  // Söhne's exponent: γ_max = (m + 2)/m under a disc
  };
  for (const Case& c : {Case{"friction alone", "about 1", friction, 16},
                        Case{"cohesion alone", "about 2", cohesive, 2}}) {
    for (const double spacing : {0.005, 0.002}) {
      const PressureShape shape = pressure_under_disc(c.soil, spacing);
      const double mm = 1e3 * spacing, continuum = (c.m + 2) / c.m;
      rows.push_back(
          {.quantity = fmt::format("{}, {:g} mm: gamma_max (papers: {})", c.name, mm, c.paper),
           .unit = "-",
           .expected = continuum,
           .ours = shape.most,
           .tolerance = 0.02 * continuum});
      rows.push_back({.quantity = fmt::format("{}, {:g} mm: mean of gamma", c.name, mm),
                      .unit = "-",
                      .expected = 1,
                      .ours = shape.mean,
                      .tolerance = 1e-12});
    }
  }
  return rows;
}

std::vector<Reproduction> scm_reproductions() {
  return {
      {"scm/bevameter", "soil parameters back from discs; Krenn & Hirzinger (2009) table 2, DLR-A",
       scm_bevameter},
      {"scm/pressure", "pressure over a round footprint; Krenn & Hirzinger (2009), Soehne (1958)",
       scm_pressure},
      {"scm/compaction", "towing a frictionless wheel costs Bekker's work of compaction",
       scm_compaction},
      {"scm/volume", "no soil is lost and no slope too steep: rolled, pressed, ploughed",
       scm_volume},
      {"scm/slip-sinkage", "a wheel that slips more sinks deeper", scm_slip_sinkage},
      {"scm/multipass", "less resistance in a rut; Krenn & Hirzinger (2009) sec. 3.3",
       scm_multipass},
      {"scm/bulldozing", "more resistance by a hump in front; Krenn & Hirzinger (2009) sec. 3.3",
       scm_bulldozing},
      {"scm/lateral", "lateral guidance in a rut; Krenn & Hirzinger (2009) sec. 3.3", scm_lateral},
      {"scm/drawbar", "pull of a tethered rover; Krenn & Hirzinger (2009) fig. 16, DLR-D",
       scm_drawbar},
      {"scm/slip60", "ripple of grousers at 60 % slip under 100 N, as on DLR's rig TROLL",
       scm_slip60},
      {"scm/thrust", "grousers push no harder than the soil along their tips is strong",
       scm_thrust},
      {"scm/mmx-turn", "point turn in Phobos' gravity; Contact Dynamics library (2023) fig. 11",
       scm_mmx_turn},
      {"scm/cmu-wheel", "a smooth wheel in sand, predicted from plates; Pavlov & Johnson (CMU)",
       scm_cmu_wheel, cmu_wheel_figure},
      {"scm/trec-wheel", "a wheel with grousers in a lunar simulant; NASA, by Hu et al. (2024)",
       scm_trec_wheel, trec_wheel_figure},
      {"scm/convergence", "a rolling wheel on grids of 10 and 5 mm", scm_convergence},
  };
}

}  // namespace grouser::internal
