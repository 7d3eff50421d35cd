#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/wheel/wheel_model.h"
#include "rigs/csv_table.h"
#include "rigs/wheel_rig.h"

/// Tests of a wheel at given slips, measured or run on the rig, and what fast models say of them.
namespace grouser::internal {

struct SinkagePoint {
  double time = 0;     ///< since the wheel turned at full speed [s]
  double sinkage = 0;  ///< [m]
};

/// A wheel led at one slip. Forces are those of the soil, pull along travel.
struct WheelTest {
  std::string name;
  double slip = 0;                    ///< driving 1 - v/(ωr), braking ωr/v - 1
  double slip_angle = 0;              ///< heading against travel, left positive [rad]
  double speed = 0.05;                ///< of travel [m/s]
  double load = 0;                    ///< [N]
  double sinkage = 0;                 ///< mean [m]
  double pull = 0;                    ///< [N]
  std::optional<double> torque;       ///< [N m]
  std::vector<SinkagePoint> history;  ///< may be empty; then the means are those of steady motion
  double from = 0, to = 0;            ///< if there is one: the times over which the means are [s]
  /// How long it has travelled at full speed before time 0 [s], or as far while it speeded up.
  double lead = 0;
};

/// What was led: common to all tests.
struct WheelOnTest {
  WheelForm form;
  Soil soil;
  double gravity = 9.80665;  ///< [m/s²]
};

/// From the rig's passes, their sinkage at `points` times along the way.
std::vector<WheelTest> tests_of(const WheelRigSpec& spec, const std::vector<WheelPass>& passes,
                                int points = 12);

/// Steady tests from a table with the columns slip, load_N, pull_N, sinkage_m or sinkage_mm and, if there,
/// torque_Nm, slip_angle_deg, speed_m_s, trial (the rig's sweep.csv is one). The names slip_ratio, Fz_load_N,
/// Fx_traction_N and slip_angle_meas_deg are understood too. Throws Error(input) naming line and column.
std::vector<WheelTest> wheel_tests(const CsvTable& table);

/// What a model says of a test: the same numbers, histories at the same times.
struct WheelPrediction {
  double sinkage = 0, pull = 0, torque = 0;
  std::vector<double> history;  ///< [m]
};

/// The wheel is led through the test so slowly up and down that the soil always carries the load.
WheelPrediction predict(const WheelModel& model, const WheelOnTest& wheel, const WheelTest& test);

}  // namespace grouser::internal
