#include "lab/wheel_reproductions.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "lab/rolling_wheel.h"
#include "lab/scm_reproduction_parts.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

WheelModel loaded(const char* name) {
  WheelModel model = *find_wheel_model(name);
  if (auto* rheological = std::get_if<RheologicalModel>(&model)) rheological->mass = 10;
  return model;
}

/// Firm, so that next to nothing resists but friction, and sheared by little.
Soil firm_soil() {
  Soil soil = find_soil("dlr_a");  // φ = 24.8°
  soil.frictional_modulus = 1e7;
  soil.shear_modulus = 2e-4;
  soil.cohesion = 0;
  return soil;
}

/// Numbers that anybody can work out again from the formulas.
std::vector<ReproductionRow> hand_values() {
  std::vector<ReproductionRow> rows;
  const WheelForm form{.radius = 0.09, .width = 0.1};
  const WheelSoil lunar = wheel_soil(find_soil("lunar_ishigami"), form, 9.80665);
  const double d1 = lunar.side_cohesion / lunar.cohesion;
  rows.push_back({.quantity = "D1 at 37.2 deg, Ishigami 2007",
                  .unit = "-",
                  .paper = 4.03,
                  .ours = d1,
                  .tolerance = 0.005});
  rows.push_back({.quantity = "D2 at 37.2 deg, Ishigami 2007",
                  .unit = "-",
                  .paper = 2.55,
                  .ours = lunar.side_weight / (d1 * lunar.weight),
                  .tolerance = 0.005});
  // [3 · 98.0665/(0.1 · 2.37 · 84000 · 0.5)]^(2/2.26)
  RollingWheel still{.model = BekkerModel{}, .travel = 0, .rim = 0, .damping = 2e3};
  still.run(20);
  rows.push_back({.quantity = "Bekker's sinkage, dlr_a, 98 N, let down slowly",
                  .unit = "mm",
                  .expected = 44.319,
                  .ours = 1e3 * still.depth,
                  .tolerance = 0.01});
  for (const double slip : {0.2, 0.6}) {
    RollingWheel terra{
        .model = TerraModel{.dig = 0, .bulldozing = 0}, .travel = 0.05, .rim = 0.05 / (1 - slip)};
    terra.run(40);
    const double length = contact_length(terra.form, terra.depth), j = length * slip / (1 - slip);
    rows.push_back(
        {.quantity = fmt::format("TerRA: steady shear over l s/(1 - s), slip {:g}", slip),
         .unit = "-",
         .expected = 1,
         .ours = terra.memory.shear.x() / j,
         .tolerance = 1e-5});
    RollingWheel bjh{.model = BjhModel{}, .travel = 0.05, .rim = 0.05 / (1 - slip)};
    bjh.run(40);
    const double l = contact_length(bjh.form, bjh.depth), x = slip * l / 0.015;
    const double full = 188 * 0.1 * l + bjh.reaction.normal * std::tan(24.8 * kDegree);
    rows.push_back({.quantity = fmt::format("Janosi-Hanamoto: thrust, slip {:g}", slip),
                    .unit = "N",
                    .expected = full * (1 - (1 - std::exp(-x)) / x),
                    .ours = bjh.reaction.torque / 0.125,
                    .tolerance = 1e-3});
  }
  RollingWheel dug{.model = TerraModel{}, .travel = 0.05, .rim = 0.1};
  dug.run(40);
  const double carrying = dug.depth - dug.memory.dug;
  const double mobilised =
      1 - std::exp(-contact_length(dug.form, carrying + 0.1 * dug.memory.dug) / 0.015);
  const double in = 0.1 * 0.05 * mobilised * carrying / (carrying + 0.02 * 0.125);
  rows.push_back({.quantity = "TerRA: slip sinkage at slip 0.5",
                  .unit = "mm",
                  .expected = 1e3 * carrying / 0.0125 * in / (in / (0.325 * 0.125) + 0.05 / 0.1),
                  .ours = 1e3 * dug.memory.dug,
                  .tolerance = 1e-3});
  return rows;
}

/// A wheel with its brake on stands below the friction angle, slides above it, and comes to rest on the level.
std::vector<ReproductionRow> academic() {
  std::vector<ReproductionRow> rows;
  for (const char* name : kWheelModelNames) {
    RollingWheel below{.model = loaded(name), .soil = firm_soil(), .slope = 20 * kDegree, .rim = 0};
    below.run(4);
    const double way = below.way;
    below.run(4);
    rows.push_back({.quantity = fmt::format("{}: creep within 4 s at 20 deg, phi 24.8", name),
                    .unit = "mm",
                    .expected = 0,
                    .ours = 1e3 * std::abs(below.way - way),
                    .tolerance = 1e-3});
    RollingWheel above{.model = loaded(name), .soil = firm_soil(), .slope = 30 * kDegree, .rim = 0};
    above.run(4);
    rows.push_back(holds(
        fmt::format("{}: slides at 30 deg ({:.2f} m/s after 4 s)", name, std::abs(above.speed)),
        above.speed < -0.2));
    RollingWheel slide{.model = loaded(name), .soil = firm_soil(), .rim = 0, .speed = 0.5};
    slide.run(6);
    rows.push_back(
        holds(fmt::format("{}: slides to rest ({:.1e} m/s after 6 s)", name, std::abs(slide.speed)),
              std::abs(slide.speed) < 1e-3));
  }
  return rows;
}

/// Slip to 0 and to 1, and no load.
std::vector<ReproductionRow> limits() {
  std::vector<ReproductionRow> rows;
  const WheelForm form{.radius = 0.125, .width = 0.1};
  const WheelSoil soil = wheel_soil(find_soil("dlr_a"), form, 9.80665);
  for (const char* name : kWheelModelNames) {
    const WheelModel model = loaded(name);
    const WheelReaction still =
        wheel_force(model, form, soil, {.depth = 0.03}, WheelMemory{}, 0.01);
    rows.push_back({.quantity = fmt::format("{}: pull and torque at rest", name),
                    .unit = "N",
                    .expected = 0,
                    .ours = std::abs(still.pull) + std::abs(still.torque),
                    .tolerance = 1e-9});
    RollingWheel light{.model = model, .mass = 10, .gravity = 1e-4, .travel = 1e-3, .rim = 2e-3};
    light.run(60);
    rows.push_back({.quantity = fmt::format("{}: pull under 1 mN, at 1e-4 m/s2", name),
                    .unit = "N",
                    .expected = 0,
                    .ours = light.reaction.pull,
                    .tolerance = 0.05});
    RollingWheel spins{.model = model, .travel = 0, .rim = 0.2};
    spins.run(20);
    const double strength =
        soil.cohesion * form.width * 2 * form.radius + spins.reaction.normal * soil.tan_friction;
    rows.push_back(
        holds(fmt::format("{}: at slip 1 thrust ({:.1f} N) within the soil's strength", name,
                          spins.reaction.torque / form.radius),
              spins.reaction.torque > 0 && spins.reaction.torque / form.radius < 1.2 * strength));
  }
  return rows;
}

/// Backwards is forwards seen in a mirror; random motion gets no energy from the soil.
std::vector<ReproductionRow> symmetry_and_energy() {
  std::vector<ReproductionRow> rows;
  for (const char* name : kWheelModelNames) {
    RollingWheel ahead{.model = loaded(name), .travel = 0.04, .rim = 0.06, .side = 0.02};
    RollingWheel back{.model = loaded(name), .travel = -0.04, .rim = -0.06, .side = -0.02};
    ahead.run(4);
    back.run(4);
    rows.push_back({.quantity = fmt::format("{}: forces ahead and back, sum", name),
                    .unit = "N",
                    .expected = 0,
                    .ours = std::abs(ahead.reaction.pull + back.reaction.pull) +
                            std::abs(ahead.reaction.lateral + back.reaction.lateral) +
                            std::abs(ahead.reaction.normal - back.reaction.normal),
                    .tolerance = 1e-9});
    std::mt19937 random(11);
    std::uniform_real_distribution<double> speed(-0.2, 0.2), pause(0.01, 1), chance(0, 1);
    RollingWheel wheel{.model = loaded(name), .travel = 0, .rim = 0};
    double highest = 0;
    for (int k = 0; k < 300; ++k) {
      wheel.travel = chance(random) < 0.2 ? 0 : speed(random);
      wheel.rim = chance(random) < 0.2 ? *wheel.travel : speed(random);
      wheel.side = chance(random) < 0.5 ? 0 : speed(random);
      if (chance(random) < 0.1) wheel.sinking = -0.3;
      wheel.run(pause(random));
      highest = std::max(highest, wheel.work);
    }
    rows.push_back({.quantity = fmt::format("{}: most work got from the soil, of {:.0f} J spent",
                                            name, -wheel.work),
                    .unit = "J",
                    .expected = 0,
                    .ours = highest,
                    .tolerance = 1e-9});
  }
  return rows;
}

}  // namespace

std::vector<Reproduction> wheel_reproductions() {
  return {
      {"wheel/hand", "Fast wheel models: values by hand", hand_values},
      {"wheel/academic", "A braked wheel on a slope below and above friction; sliding", academic},
      {"wheel/limits", "At rest, spinning, without load", limits},
      {"wheel/symmetry", "Backwards and to the other side; no energy from the soil",
       symmetry_and_energy},
      {"wheel/terra-scm", "TerRA tuned to SCM, on runs it was not fitted to: within 3 %",
       wheel_terra_scm, wheel_terra_scm_figure},
      {"wheel/cmu", "Smooth wheel in sand (Pavlov & Johnson), every model: rms misfit", wheel_cmu,
       wheel_cmu_figure},
      {"wheel/mgru3", "Slip on slope of a rover like MGRU3 in GRC-1 (NASA 2021, Hu et al. 2024)",
       wheel_mgru3, wheel_mgru3_figure},
  };
}

}  // namespace grouser::internal
