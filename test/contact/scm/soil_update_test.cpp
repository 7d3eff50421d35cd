#include "contact/scm/soil_update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "soil_testing.h"

namespace grouser::internal {
namespace {

/// Contact made by hand.
struct Stamp {
  Footprint footprint;
  ScmForce force;
  ScmBodyMemory memory;
  Twist V;

  /// A cell in contact at a node of the map, the soil under it pressed down by `sunk`.
  void press(ScmSoil& soil, int i, int j, double sunk, const Vec2& slope = Vec2::Zero(),
             double coverage = 1) {
    SoilMemory column = soil.memory.get(i, j);
    column.sunk = std::max(column.sunk, sunk);
    soil.memory.set(i, j, column);
    footprint.window.grid = soil.map.grid();
    footprint.underside.rect = {0, 0, soil.map.grid().nx, soil.map.grid().ny};
    footprint.underside.lowest.assign(soil.map.grid().size(), INFINITY);
    footprint.patches.resize(1);
    ContactCell cell{.node = static_cast<std::int32_t>(soil.map.grid().index(i, j)),
                     .coverage = coverage};
    cell.slope = slope;
    cell.centre = soil.map.grid().node(i, j);
    footprint.cells.push_back(cell);
    force.loads.resize(footprint.cells.size());
    force.loads.sinkage.back() = sunk;
  }
  void press_square(ScmSoil& soil, int i0, int j0, int size, double sunk) {
    for (int j = j0; j < j0 + size; ++j) {
      for (int i = i0; i < i0 + size; ++i) press(soil, i, j, sunk);
    }
  }
  void lift() {
    footprint.cells.clear();
    force.loads.clear();
  }
  SoilUpdateReport update(ScmSoil& soil, const Soil& material, const ScmOptions& options = {}) {
    SoilToucher toucher{&footprint, &force, {}, V, &memory};
    return SoilUpdater(soil.map, 1).update({&toucher, 1}, 0.01, SoilMap(material), options, soil);
  }
};

TEST(SoilUpdate, SoilFillsADentBeforeTheLevelRises) {
  SoilMemory column{.deposit = 0.01, .sunk = 0.03, .lowered = 0.02};
  const double floor = column.deposit - column.sunk;
  put_soil(column, 0.005);  // two thirds of the cell were pressed: the dent there fills by 7.5 mm
  EXPECT_EQ(column.deposit, 0.01);
  EXPECT_NEAR(column.lowered, 0.015, 1e-17);
  EXPECT_EQ(column.sunk, 0.03);
  EXPECT_NEAR(column.fill, 0.0075, 1e-17);
  EXPECT_NEAR(column.pressed_part(), 2. / 3, 1e-15);
  put_soil(column, -0.004);  // from the fill
  EXPECT_NEAR(column.deposit, 0.006, 1e-17);
  EXPECT_NEAR(column.fill, 0.0035, 1e-17);
  EXPECT_NEAR(column.deposit - column.sunk, floor, 1e-17);
  put_soil(column, 0.025);  // to the brim, and 10 mm more
  EXPECT_NEAR(column.deposit, 0.016, 1e-17);
  EXPECT_EQ(column.lowered, 0);
  EXPECT_EQ(column.fill, column.sunk);
  EXPECT_NEAR(column.deposit - column.sunk, floor, 1e-17);
  put_soil(column, -0.05);  // all the fill, and what was pressed below it
  EXPECT_EQ(column.fill, 0);
  EXPECT_EQ(column.sunk, 0);
  EXPECT_NEAR(column.deposit, -0.034, 1e-17);
}

// The four nodes beside a cell stand for 2 pieces of border each, the four across it for √2: shares
// are 2 and √2/2 of 8 + 2√2. What is pushed along x goes to three of them as 2 : 1/2 : 1/2.
TEST(SoilUpdate, ACellIsLaidDownAroundIt) {
  constexpr auto classic = ScmOptions::Deformation::classic;
  ScmSoil soil = flat_soil(0.01, 0.1);
  Stamp stamp;
  stamp.press(soil, 10, 10, 0.004);
  stamp.V.linear = Vec3(0, 0, -1);
  const SoilUpdateReport report = stamp.update(soil, sand(), {.deformation = classic});
  EXPECT_NEAR(report.displaced, 0.004 * 1e-4, 1e-16);
  EXPECT_NEAR(soil.map.change(10, 10), -0.004, 1e-12);
  const double beside = 0.004 * 2 / (8 + 2 * std::sqrt(2)), across = beside * std::sqrt(2) / 4;
  EXPECT_NEAR(soil.map.change(11, 10), beside, 1e-9);  // single precision: measured 1e-11
  EXPECT_NEAR(soil.map.change(10, 9), beside, 1e-9);
  EXPECT_NEAR(soil.map.change(9, 11), across, 1e-9);
  EXPECT_EQ(volume_change(soil), 0);

  ScmSoil pushed = flat_soil(0.01, 0.1);
  Stamp blade;
  blade.press(pushed, 10, 10, 0.004, Vec2(1, 0));
  blade.V.linear = Vec3(0.1, 0, 0);
  blade.update(pushed, sand(), {.deformation = classic, .carry = 0});
  EXPECT_NEAR(pushed.map.change(11, 10), 0.5 * beside + 0.5 * 0.004 * 2 / 3, 1e-9);
  EXPECT_NEAR(pushed.map.change(11, 9), 0.5 * across + 0.5 * 0.004 / 6, 1e-9);
  EXPECT_NEAR(pushed.map.change(9, 9), 0.5 * across, 1e-9);
  blade = {};
  pushed = flat_soil(0.01, 0.1);
  blade.press(pushed, 10, 10, 0.004, Vec2(1, 0));
  blade.V.linear = Vec3(0.1, 0, 0);
  blade.update(pushed, sand(),
               {.deformation = classic, .carry = 0, .ahead_exponent = 3});  // 2 : 1/4 : 1/4
  EXPECT_NEAR(pushed.map.change(11, 10), 0.5 * beside + 0.5 * 0.004 * 0.8, 1e-9);
}

TEST(SoilUpdate, APressedSquareRaisesABermOfItsVolume) {
  ScmSoil soil = flat_soil(0.005, 0.2);
  Stamp stamp;
  stamp.press_square(soil, 33, 33, 15, 0.015);
  const SoilUpdateReport report = stamp.update(soil, sand());
  EXPECT_TRUE(report.settled);
  EXPECT_EQ(volume_change(soil), 0);
  EXPECT_NEAR(report.displaced / (225 * 25e-6 * 0.015), 1, 1e-9);
  const Footprint* const held[] = {&stamp.footprint};
  EXPECT_LE(excess_slope(soil, 30, held), 0.051);
  double rises = 0, asymmetry = 0;
  for (int j = 0; j <= 80; ++j) {
    for (int i = 0; i <= 80; ++i) {
      const double change = soil.map.change(i, j);
      rises += std::max(0.0, change) * 25e-6;
      asymmetry = std::max({asymmetry, std::abs(change - soil.map.change(80 - i, j)),
                            std::abs(change - soil.map.change(j, i))});
    }
  }
  EXPECT_NEAR(rises / report.displaced, 1, 1e-9);
  // Nodes slide one after the other. Measured 0.25 mm of 17.5.
  EXPECT_LT(asymmetry, 0.4e-3);
}

// A cone would hold V = π r³ tan ψ / 3. Eight neighbours make it an octagon around the circle, with
// 8 tan(π/8) in the place of π.
TEST(SoilUpdate, APileSettlesIntoACone) {
  for (const double psi : {25.0, 35.0}) {
    ScmSoil soil = flat_soil(0.01, 0.5);
    const double poured = 50;  // height of the column
    soil.memory.set(50, 50, {.deposit = poured});
    Stamp stamp;
    stamp.memory.touched = {50, 50, 1, 1};
    const SoilUpdateReport report = stamp.update(soil, sand(psi));  // the window has to grow
    EXPECT_TRUE(report.settled);
    EXPECT_EQ(volume_change(soil), poured * soil.map.grid().spacing * soil.map.grid().spacing);
    EXPECT_LE(excess_slope(soil, psi, {}), 0.051);
    const double tan_psi = std::tan(psi * kDegree), volume = poured * 1e-4;
    const double radius = std::cbrt(3 * volume / (8 * std::tan(std::numbers::pi / 8) * tan_psi));
    EXPECT_NEAR(soil.map.change(50, 50) / (radius * tan_psi), 1, 0.02);  // measured -0.015
    double reach = 0;
    for (int i = 50; i <= 100; ++i) {
      if (soil.map.change(i, 50) > 1e-4) reach = (i - 50) * 0.01;
    }
    EXPECT_NEAR(reach / radius, 1, 0.04);  // measured -0.034: a cell is 0.05
  }
}

TEST(SoilUpdate, EachSoilHasItsAngleOfRepose) {
  const SoilMap zones({sand(20), sand(40)},
                      {{"steep", {{0, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {0, 0.5}}, 1}});
  ScmSoil soil = flat_soil(0.01, 0.5), gentle = soil, steep = soil;
  Stamp stamp;
  for (ScmSoil* each : {&soil, &gentle, &steep}) {
    each->memory.set(25, 50, {.deposit = 5});
    each->memory.set(75, 50, {.deposit = 5});
    stamp.memory.touched = {25, 50, 51, 1};
    if (each == &gentle) stamp.update(gentle, sand(20));
    if (each == &steep) stamp.update(steep, sand(40));
  }
  SoilToucher toucher{&stamp.footprint, &stamp.force, {}, {}, &stamp.memory};
  stamp.memory.touched = {25, 50, 51, 1};
  SoilUpdater(soil.map, 1).update({&toucher, 1}, 0.01, zones, {}, soil);
  EXPECT_LT(gentle.map.change(25, 50), 0.8 * steep.map.change(25, 50));
  for (int j = 0; j <= 100; ++j) {
    for (int i = 0; i < 50; ++i) EXPECT_NEAR(soil.map.change(i, j), gentle.map.change(i, j), 2e-3);
    for (int i = 51; i <= 100; ++i)
      EXPECT_NEAR(soil.map.change(i, j), steep.map.change(i, j), 2e-3);
  }
}

// From one cell: e^(-s/λ)/r at the distance r = s + 1/2 cells, λ being half the depth.
TEST(SoilUpdate, FlowThinsOutOverTheDepth) {
  ScmSoil soil = flat_soil(0.005, 0.2);
  Stamp stamp;
  stamp.press(soil, 40, 40, 0.02);  // λ = 2 cells
  stamp.update(soil, sand(), {.deformation = ScmOptions::Deformation::flow});
  EXPECT_EQ(volume_change(soil), 0);
  const double near = soil.map.change(42, 40);
  EXPECT_GT(near, 0);
  EXPECT_NEAR(soil.map.change(46, 40) / near, std::exp(-2) * 2 / 6, 1e-6);
  EXPECT_NEAR(soil.map.change(40, 35) / near, std::exp(-1.5) * 2 / 5, 1e-6);
  EXPECT_NEAR(soil.map.change(43, 43) / near,
              std::exp(-(3 * std::sqrt(2) - 2) / 2) * 2 / std::sqrt(18), 1e-6);
  EXPECT_EQ(soil.map.change(40, 47), 0);  // beyond 3 λ
  EXPECT_NEAR(soil.map.change(40, 40), -0.02, 1e-12);
}

TEST(SoilUpdate, NaturalSlopesStand) {
  ScmSoil soil = flat_soil(0.01, 0.2, Vec2(1, 0));  // 45°
  Stamp stamp;
  stamp.memory.touched = {5, 5, 25, 25};
  const ScmSoil before = soil;
  const SoilUpdateReport report = stamp.update(soil, sand());
  EXPECT_EQ(report.eroded, 0);
  EXPECT_TRUE(soil == before);
  stamp.press_square(soil, 20, 20, 5, 0.01);
  EXPECT_TRUE(stamp.update(soil, sand()).settled);
  EXPECT_EQ(volume_change(soil), 0);
  const Footprint* const held[] = {&stamp.footprint};
  EXPECT_LE(excess_slope(soil, 30, held), 0.051);
  for (int j = 0; j < 41; ++j) EXPECT_EQ(soil.map.change(40, j), 0);  // nothing goes uphill
}

TEST(SoilUpdate, WallsSlideOnceTheBodyIsGone) {
  ScmSoil soil = flat_soil(0.005, 0.2);
  Stamp stamp;
  stamp.press_square(soil, 33, 33, 15, 0.03);
  SoilMemory column = soil.memory.get(40, 40);
  column.shear_x = 0.01;
  soil.memory.set(40, 40, column);
  stamp.update(soil, sand());
  EXPECT_EQ(stamp.memory.touched, (NodeRect{33, 33, 15, 15}));
  EXPECT_EQ(soil.memory.get(40, 40).shear_x, 0.01);
  EXPECT_NEAR(soil.map.change(33, 33), -0.03, 1e-12);
  stamp.lift();
  EXPECT_TRUE(stamp.update(soil, sand()).settled);
  EXPECT_TRUE(stamp.memory.touched.empty());
  EXPECT_EQ(soil.memory.get(40, 40).shear_x, 0);
  EXPECT_GT(soil.map.change(33, 33), -0.02);
  EXPECT_LE(excess_slope(soil, 30, {}), 0.051);
  EXPECT_EQ(volume_change(soil), 0);
  const ScmSoil before = soil;
  stamp.update(soil, sand());
  EXPECT_TRUE(soil == before);
}

// A heap beside a narrow gap under a body: it slides into the gap, but does not lift the body.
TEST(SoilUpdate, SoilThatSlidesUnderABodyStaysBelowIt) {
  ScmSoil soil = flat_soil(0.01, 0.1);
  Stamp stamp;
  stamp.press(soil, 10, 10, 0);
  constexpr double kGap = 5e-5;
  stamp.footprint.underside.lowest[soil.map.grid().index(11, 10)] = kGap;
  soil.memory.set(12, 10, {.deposit = to_soil_quanta(0.02)});
  EXPECT_TRUE(stamp.update(soil, sand()).settled);
  EXPECT_GT(soil.map.change(11, 10), 0.5 * kGap);
  EXPECT_LE(soil.map.change(11, 10), kGap + kSoilQuantum);
  EXPECT_LE(std::atan((soil.map.change(12, 10) - soil.map.change(13, 10)) / 0.01) / kDegree,
            30.051);
}

TEST(SoilUpdate, SoilStaysOnTheMap) {
  ScmSoil soil = flat_soil(0.01, 0.1);
  Stamp stamp;
  stamp.press_square(soil, 0, 0, 6, 0.03);
  stamp.V.linear = Vec3(-1, -1, 0);
  stamp.force.loads.shear_x.assign(stamp.footprint.cells.size(), -1);
  stamp.force.loads.shear_y.assign(stamp.footprint.cells.size(), -1);
  EXPECT_TRUE(stamp.update(soil, sand()).settled);
  EXPECT_EQ(volume_change(soil), 0);
  stamp = {};
  stamp.press_square(soil, 0, 0, 21, 0.05);  // the whole map: there is nowhere to put it
  EXPECT_EQ(stamp.update(soil, sand()).displaced, 0);
  EXPECT_EQ(volume_change(soil), 0);
}

TEST(SoilUpdate, WithoutDeformationOnlyShearIsForgotten) {
  ScmSoil soil = flat_soil(0.01, 0.1);
  Stamp stamp;
  stamp.press_square(soil, 8, 8, 4, 0.01);
  stamp.memory.touched = {5, 5, 2, 2};
  soil.memory.set(5, 6, {.sunk = 0.01, .shear_x = 1, .shear_y = 1});
  ScmSoil expected = soil;
  expected.memory.set(5, 6, {.sunk = 0.01});
  stamp.update(soil, sand(), {.deformation = ScmOptions::Deformation::none});
  EXPECT_TRUE(soil == expected);
  EXPECT_EQ(stamp.memory.touched, (NodeRect{8, 8, 4, 4}));
}

// Pressed and left between two updates: no footprint has seen it.
TEST(SoilUpdate, AHopLeavesItsDent) {
  ScmSoil soil = flat_soil(0.005, 0.2);
  Stamp stamp;
  stamp.press_square(soil, 33, 33, 15, 0.001);
  stamp.lift();
  stamp.memory.touched = {33, 33, 15, 15};
  const SoilUpdateReport report = stamp.update(soil, sand());
  // Half of the 56 cells along its rim, all of the 169 within.
  EXPECT_NEAR(report.displaced / (197 * 25e-6 * 0.001), 1, 1e-9);
  EXPECT_NEAR(soil.map.change(40, 40), -0.001, 1e-12);
  EXPECT_EQ(volume_change(soil), 0);
}

// Even sliding along x: a layer of K passes through, with 0.6 of its strength mobilised.
TEST(SoilUpdate, SlidingCarriesSoilFromFrontToBack) {
  ScmSoil soil = flat_soil(0.01, 0.15);
  Stamp stamp;
  for (int j = 10; j < 20; ++j) {
    for (int i = 10; i < 20; ++i) {
      stamp.press(soil, i, j, 0.02);
      SoilMemory column = soil.memory.get(i, j);
      column.lowered = to_soil_quanta(0.02);  // laid down before: nothing is displaced now
      column.deposit = column.lowered;
      soil.memory.set(i, j, column);
    }
  }
  stamp.footprint.touches.assign(soil.map.grid().size(), 0);
  for (std::size_t c = 0; c < stamp.footprint.cells.size(); ++c) {
    stamp.footprint.touches[static_cast<std::size_t>(stamp.footprint.cells[c].node)] = 1;
    if (c % 10 == 9) {  // the last of its row
      stamp.footprint.boundary.push_back(
          {.cell = static_cast<int>(c), .outward = Vec2(1, 0), .length = 0.01});
    }
  }
  const Soil material = sand();
  stamp.force.loads.shear_x.assign(stamp.footprint.cells.size(), 0.6 * material.shear_modulus);
  stamp.V.linear = Vec3(0.1, 0, 0);
  stamp.update(soil, material, {.carry = 1});
  const double moved = material.shear_modulus * 0.6 * 0.1 * 0.01 / 0.01;
  for (int j = 10; j < 20; ++j) {
    // Taken from all ten cells of a row alike.
    for (int i = 10; i < 20; ++i) EXPECT_NEAR(soil.map.change(i, j), -moved / 10, 1e-9);
    EXPECT_NEAR(soil.map.change(20, j), moved, 1e-12);
  }
  EXPECT_EQ(volume_change(soil), 0);
  // Never more than half the sinkage at once.
  stamp.V.linear = Vec3(100, 0, 0);
  stamp.update(soil, material, {.carry = 1});
  EXPECT_NEAR(soil.map.change(10, 15), -moved / 10 - 0.01, 1e-9);
}

}  // namespace
}  // namespace grouser::internal
