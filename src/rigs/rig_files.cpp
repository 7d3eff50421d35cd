#include "rigs/rig_files.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/text.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

/// Lines of numbers below a line of names.
class CsvWriter {
 public:
  explicit CsvWriter(const std::string& header) : text_(header + "\n") {}

  void add(std::initializer_list<double> numbers) {
    bool first = true;
    for (const double number : numbers) {
      if (!first) text_ += ',';
      first = false;
      if (std::isfinite(number)) text_ += format_number(number);  // else there is no such value
    }
    text_ += '\n';
  }
  void add(const std::string& name, std::initializer_list<double> numbers) {
    text_ += name + ",";
    add(numbers);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

double angle_deg(const WheelPass& pass) { return pass.asked.slip_angle * kDegPerRad; }
double asked_slip(const WheelPass& pass) { return pass.asked.slip.value_or(NAN); }

/// Means with error bars over a slip that was asked for or came about.
struct Curve {
  std::vector<double> x, mean, deviation;

  void add(double slip, const Spread& spread, double factor) {
    x.push_back(slip);
    mean.push_back(factor * spread.mean);
    deviation.push_back(factor * spread.deviation);
  }
  Series series(const std::string& label) const {
    return {.label = label, .x = x, .y = mean, .y_error = deviation, .markers = true};
  }
};

std::string pass_label(const WheelPass& pass, bool angles, bool passes) {
  std::string label;
  if (angles) label = fmt::format("slip angle {:g}°", std::round(10 * angle_deg(pass)) / 10);
  if (passes) label += fmt::format("{}pass {}", label.empty() ? "" : ", ", pass.pass);
  return label;
}

/// A panel of one quantity over slip: curves by slip angle and pass, and free rolling as single points.
Panel over_slip(const std::vector<WheelPass>& runs, const std::string& axis,
                Spread WheelPass::*value, double factor) {
  bool angles = false, passes = false;
  for (const WheelPass& run : runs) {
    angles = angles || run.asked.slip_angle != runs.front().asked.slip_angle;
    passes = passes || run.pass > 1;
  }
  Panel panel{.title = {}, .x = {.label = "slip [-]"}, .y = {.label = axis}, .series = {}};
  std::vector<std::string> order;
  std::map<std::string, Curve> curves;
  for (const WheelPass& run : runs) {
    std::string label = pass_label(run, angles, passes);
    if (!run.asked.slip) label += label.empty() ? "free rolling" : ", free rolling";
    if (!curves.contains(label)) order.push_back(label);
    curves[label].add(run.asked.slip.value_or(run.slip.mean), run.*value, factor);
  }
  for (const std::string& label : order) panel.series.push_back(curves[label].series(label));
  return panel;
}

Panel plate_panel(const BevameterTests& tests, const BevameterFit& fit) {
  Panel panel{
      .title = "plates", .x = {.label = "sinkage [mm]"}, .y = {.label = "force [N]"}, .series = {}};
  int style = 0;
  for (const PlateCurve& curve : tests.plates) {
    const double area = curve.plate.area();
    Series measured{.label = curve.test.trial, .line = false, .markers = true, .style = style};
    Series fitted{.label = "", .style = style++};
    for (const PlatePoint& point : curve.test.points) {
      measured.x.push_back(1e3 * point.sinkage);
      measured.y.push_back(area * point.pressure);
    }
    double deepest = 0;
    for (const PlatePoint& point : curve.test.points) deepest = std::max(deepest, point.sinkage);
    for (int k = 0; fit.plates && k <= 100; ++k) {
      const double z = deepest * k / 100;
      fitted.x.push_back(1e3 * z);
      fitted.y.push_back(area * fit.plates->pressure(curve.plate.width(), z));
    }
    panel.series.push_back(measured);
    panel.series.push_back(fitted);
  }
  return panel;
}

Panel shear_panel(const BevameterTests& tests, const BevameterFit& fit) {
  Panel panel{.title = "shear ring",
              .x = {.label = "displacement [mm]"},
              .y = {.label = "shear stress [kPa]"},
              .series = {}};
  int style = 0;
  for (const ShearTest& test : tests.shear) {
    Series measured{.label = test.trial, .line = false, .markers = true, .style = style};
    Series fitted{.label = "", .style = style++};
    for (const ShearPoint& point : test.points) {
      measured.x.push_back(1e3 * point.displacement);
      measured.y.push_back(1e-3 * point.shear_stress);
      if (!fit.shear) continue;
      fitted.x.push_back(1e3 * point.displacement);
      fitted.y.push_back(1e-3 * fit.shear->shear_stress(point.normal_stress, point.displacement));
    }
    panel.series.push_back(measured);
    panel.series.push_back(fitted);
  }
  return panel;
}

}  // namespace

std::string plates_csv(const BevameterTests& tests) {
  // Discs by their diameter, rectangles by their sides: tables of one kind only have those columns.
  const bool discs = tests.plates.empty() || tests.plates.front().plate.radius > 0;
  CsvWriter csv(discs ? "trial,plate_diameter_m,sinkage_m,force_N"
                      : "trial,plate_width_m,plate_length_m,sinkage_m,force_N");
  for (const PlateCurve& curve : tests.plates) {
    const Plate& plate = curve.plate;
    for (const PlatePoint& point : curve.test.points) {
      const double force = plate.area() * point.pressure;
      if (discs) {
        csv.add(curve.test.trial, {2 * plate.radius, point.sinkage, force});
      } else {
        csv.add(curve.test.trial,
                {plate.size.minCoeff(), plate.size.maxCoeff(), point.sinkage, force});
      }
    }
  }
  return csv.take();
}

std::string shear_csv(const BevameterTests& tests) {
  CsvWriter csv("trial,normal_stress_Pa,displacement_m,shear_stress_Pa");
  for (const ShearTest& test : tests.shear) {
    for (const ShearPoint& point : test.points) {
      csv.add(test.trial, {point.normal_stress, point.displacement, point.shear_stress});
    }
  }
  return csv.take();
}

BevameterFit identify(const BevameterTests& tests) {
  BevameterFit fit;
  if (!tests.plates.empty()) fit.plates = identify_plates(plate_tests(tests));
  if (!tests.shear.empty()) fit.shear = identify_shear(tests.shear);
  return fit;
}

Figure bevameter_figure(const BevameterTests& tests, const BevameterFit& fit) {
  Figure figure;
  if (!tests.plates.empty()) figure.panels.push_back(plate_panel(tests, fit));
  if (!tests.shear.empty()) figure.panels.push_back(shear_panel(tests, fit));
  return figure;
}

std::string wheel_sweep_csv(const std::vector<WheelPass>& passes) {
  CsvWriter csv(
      "asked_slip,slip_angle_deg,pass,slip,slip_std,pull_N,pull_std_N,lateral_N,lateral_std_N,load_"
      "N,"
      "load_std_N,torque_Nm,torque_std_Nm,sinkage_m,sinkage_std_m,rut_depth_m");
  for (const WheelPass& p : passes) {
    csv.add({asked_slip(p), angle_deg(p), static_cast<double>(p.pass), p.slip.mean,
             p.slip.deviation, p.pull.mean, p.pull.deviation, p.lateral.mean, p.lateral.deviation,
             p.load.mean, p.load.deviation, p.torque.mean, p.torque.deviation, p.sinkage.mean,
             p.sinkage.deviation, p.rut_depth.value_or(NAN)});
  }
  return csv.take();
}

std::string wheel_traces_csv(const std::vector<WheelPass>& passes) {
  CsvWriter csv(
      "asked_slip,slip_angle_deg,pass,time_s,travel_m,slip,pull_N,lateral_N,load_N,torque_Nm,"
      "sinkage_m");
  for (const WheelPass& p : passes) {
    for (const WheelSampleOnRig& s : p.trace) {
      csv.add({asked_slip(p), angle_deg(p), static_cast<double>(p.pass), s.time, s.travel, s.slip,
               s.pull, s.lateral, s.load, s.torque, s.sinkage});
    }
  }
  return csv.take();
}

Figure wheel_figure(const std::vector<WheelPass>& passes) {
  Figure figure;
  figure.panels = {over_slip(passes, "drawbar pull [N]", &WheelPass::pull, 1),
                   over_slip(passes, "drive torque [N m]", &WheelPass::torque, 1),
                   over_slip(passes, "sinkage [mm]", &WheelPass::sinkage, 1e3),
                   over_slip(passes, "lateral force [N]", &WheelPass::lateral, 1)};
  return figure;
}

std::string drawbar_sweep_csv(const std::vector<DrawbarRun>& runs) {
  CsvWriter csv(
      "asked_slip,slip,slip_std,tension_N,tension_std_N,torque_Nm,torque_std_Nm,sinkage_m,"
      "sinkage_std_m,load_N,load_std_N,steady");
  for (const DrawbarRun& r : runs) {
    csv.add({r.asked_slip, r.slip.mean, r.slip.deviation, r.tension.mean, r.tension.deviation,
             r.torque.mean, r.torque.deviation, r.sinkage.mean, r.sinkage.deviation, r.load.mean,
             r.load.deviation, r.steady ? 1.0 : 0.0});
  }
  return csv.take();
}

std::string drawbar_traces_csv(const std::vector<DrawbarRun>& runs) {
  CsvWriter csv("asked_slip,time_s,travel_m,tension_N,slip,torque_Nm,sinkage_m,load_N");
  for (const DrawbarRun& r : runs) {
    for (const DrawbarSample& s : r.trace) {
      csv.add({r.asked_slip, s.time, s.travel, s.tension, s.slip, s.torque, s.sinkage, s.load});
    }
  }
  return csv.take();
}

Figure drawbar_figure(const std::vector<DrawbarRun>& runs) {
  const auto panel = [&](const std::string& axis, Spread DrawbarRun::*value, double factor) {
    Curve curve;
    for (const DrawbarRun& run : runs) curve.add(run.asked_slip, run.*value, factor);
    return Panel{.title = {},
                 .x = {.label = "slip [-]"},
                 .y = {.label = axis},
                 .series = {curve.series("")}};
  };
  Panel traces{
      .title = {}, .x = {.label = "time [s]"}, .y = {.label = "rope tension [N]"}, .series = {}};
  for (const DrawbarRun& run : runs) {
    Series series{.label = fmt::format("slip {:g}", run.asked_slip)};
    for (const DrawbarSample& sample : run.trace) {
      series.x.push_back(sample.time);
      series.y.push_back(sample.tension);
    }
    traces.series.push_back(std::move(series));
  }
  Figure figure;
  figure.panels = {panel("drawbar pull [N]", &DrawbarRun::tension, 1), std::move(traces),
                   panel("drive torque, mean of wheels [N m]", &DrawbarRun::torque, 1),
                   panel("sinkage, mean of wheels [mm]", &DrawbarRun::sinkage, 1e3)};
  return figure;
}

}  // namespace grouser::internal
