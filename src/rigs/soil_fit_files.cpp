#include "rigs/soil_fit_files.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/text.h"
#include "math/angle.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kPointsDrawn = 40;  // of each trial, about
constexpr int kCurvePoints = 100;

/// Text that stays within its line, whatever a file is called.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

std::string yaml_line(const char* key, const Estimate& estimate, double factor = 1) {
  return fmt::format("  {}: {:.6g}  # 95 % interval {:.4g} ... {:.4g}\n", key,
                     factor * estimate.value, factor * estimate.low, factor * estimate.high);
}

std::string comments(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  # Warning: " + one_line(line) + "\n";
  return text;
}

/// The parameters that these tests do not tell.
std::vector<std::string> not_identified(const SoilIdentification& soil) {
  std::vector<std::string> names;
  if (!soil.shear) names = {"cohesion", "friction_angle", "shear_modulus"};
  names.emplace_back("density");
  names.emplace_back("repose_angle");
  return names;
}

/// Every k-th point, such that about kPointsDrawn remain.
std::size_t stride(std::size_t points) { return 1 + (points - 1) / kPointsDrawn; }

/// What is drawn of all trials of a plate width or a normal stress.
struct Level {
  std::string label;
  Series data, fit;
};

/// Numbers of the trials of each level, from the least.
std::map<int, std::vector<std::size_t>> levels_of(const FitReport& fit) {
  std::map<int, std::vector<std::size_t>> levels;
  for (std::size_t t = 0; t < fit.trials.size(); ++t) levels[fit.trials[t].group].push_back(t);
  return levels;
}

std::vector<Level> plate_levels(const PlateFit& fit) {
  std::vector<Level> levels;
  for (const auto& [group, trials] : levels_of(fit)) {
    const PlateTest& first = fit.used[trials.front()];
    Level level{.label = plate_label(first), .data = {}, .fit = {}};
    double deepest = 0, shallowest = std::numeric_limits<double>::infinity();
    for (const std::size_t t : trials) {
      const PlateTest& test = fit.used[t];
      for (std::size_t i = 0; i < test.points.size(); i += stride(test.points.size())) {
        const double sinkage = test.points[i].sinkage + fit.trials[t].offset;
        level.data.x.push_back(1e3 * sinkage);
        level.data.y.push_back(1e-3 * test.points[i].pressure);
        deepest = std::max(deepest, sinkage);
        if (sinkage > 0) shallowest = std::min(shallowest, sinkage);
      }
    }
    for (int i = 0; i <= kCurvePoints && deepest > 0; ++i) {
      const double part = static_cast<double>(i) / kCurvePoints;
      const double sinkage = shallowest * std::pow(deepest / shallowest, part);
      level.fit.x.push_back(1e3 * sinkage);
      level.fit.y.push_back(1e-3 * fit.pressure(first.width, sinkage));
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

std::vector<Level> shear_levels(const ShearFit& fit) {
  std::vector<Level> levels;
  for (const auto& [group, trials] : levels_of(fit)) {
    Level level;
    double furthest = 0, stress = 0;
    for (const std::size_t t : trials) {
      const ShearTest& test = fit.used[t];
      for (std::size_t i = 0; i < test.points.size(); i += stride(test.points.size())) {
        level.data.x.push_back(1e3 * test.points[i].displacement);
        level.data.y.push_back(1e-3 * test.points[i].shear_stress);
        furthest = std::max(furthest, test.points[i].displacement);
      }
      stress += fit.trials[t].level / static_cast<double>(trials.size());
    }
    level.label = fmt::format("{:.3g} kPa", 1e-3 * stress);
    for (int i = 0; i <= kCurvePoints; ++i) {
      const double travel = furthest * i / kCurvePoints;
      level.fit.x.push_back(1e3 * travel);
      level.fit.y.push_back(1e-3 * fit.shear_stress(stress, travel));
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

Panel make_panel(std::string title, Axis x, Axis y, const std::vector<Level>& levels) {
  Panel panel{.title = std::move(title), .x = std::move(x), .y = std::move(y), .series = {}};
  int style = 0;
  for (const Level& level : levels) {
    Series data = level.data, fit = level.fit;
    data.line = false;
    data.markers = true;
    data.style = style;
    fit.style = style++;
    fit.label = level.label;
    panel.series.push_back(std::move(data));
    panel.series.push_back(std::move(fit));
  }
  return panel;
}

}  // namespace

std::string plate_label(const PlateTest& test) {
  return test.disc ? fmt::format("Ø {:.4g} mm", 2e3 * test.width)
                   : fmt::format("b = {:.4g} mm", 1e3 * test.width);
}

std::string soil_yaml(const SoilIdentification& soil) {
  const PlateFit& plates = soil.plates;
  std::string text =
      fmt::format("# Identified from {}{} ({} fit{}); paste it below a scene's `terrain:`.\n",
                  one_line(soil.plate_file), soil.shear ? " and " + one_line(soil.shear_file) : "",
                  soil.options.fit == FitMode::log ? "log" : "pressure",
                  soil.options.offset ? " with offsets" : "");
  text += fmt::format("# Plates: b = {:.4g} ... {:.4g} mm (radius of a disc), {} trials.\nsoil:\n",
                      1e3 * plates.least_width, 1e3 * plates.greatest_width, plates.trials.size());
  const std::vector<std::string> missing = not_identified(soil);
  if (soil.like) {
    text += fmt::format("  preset: {}  # has what was not identified: {}\n", soil.like->name,
                        fmt::join(missing, ", "));
  } else {
    text += fmt::format(
        "  # preset: SOIL  # a scene needs one (see: grouser soils) for what was not identified:\n"
        "  #   {}\n",
        fmt::join(missing, ", "));
  }
  text += fmt::format("  name: {}\n", soil.name);
  text += yaml_line("sinkage_exponent", plates.exponent);
  if (plates.one_width) {
    text += fmt::format("  cohesive_modulus: 0  # not identified: plates of one width only\n");
  } else {
    text += yaml_line("cohesive_modulus", plates.cohesive_modulus);
  }
  text += yaml_line("frictional_modulus", plates.frictional_modulus);
  text += comments(plates.warnings);
  if (!soil.shear) return text;
  if (soil.shear->one_stress) {
    text += "  cohesion: 0  # not identified: one normal stress only\n";
  } else {
    text += yaml_line("cohesion", soil.shear->cohesion);
  }
  text += yaml_line("friction_angle_deg", soil.shear->friction_angle, kDegPerRad);
  text += yaml_line("shear_modulus", soil.shear->shear_modulus);
  return text + comments(soil.shear->warnings);
}

std::string plate_csv(const PlateFit& fit) {
  std::string text = "trial,plate_b_m,offset_m,sinkage_m,pressure_Pa,fitted_pressure_Pa\n";
  for (std::size_t t = 0; t < fit.used.size(); ++t) {
    const PlateTest& test = fit.used[t];
    const std::string begin = fmt::format("{},{},{}", quoted(test.trial), format_number(test.width),
                                          format_number(fit.trials[t].offset));
    for (const PlatePoint& point : test.points) {
      const double fitted = fit.pressure(test.width, point.sinkage + fit.trials[t].offset);
      text += fmt::format("{},{},{},{}\n", begin, format_number(point.sinkage),
                          format_number(point.pressure), format_number(fitted));
    }
  }
  return text;
}

std::string shear_csv(const ShearFit& fit) {
  std::string text =
      "trial,normal_stress_Pa,displacement_m,shear_stress_Pa,fitted_shear_stress_Pa\n";
  for (const ShearTest& test : fit.used) {
    for (const ShearPoint& point : test.points) {
      const double fitted = fit.shear_stress(point.normal_stress, point.displacement);
      text += fmt::format("{},{},{},{},{}\n", quoted(test.trial),
                          format_number(point.normal_stress), format_number(point.displacement),
                          format_number(point.shear_stress), format_number(fitted));
    }
  }
  return text;
}

Figure fit_figure(const SoilIdentification& soil) {
  const std::vector<Level> levels = plate_levels(soil.plates);
  const std::string sinkage = soil.options.offset ? "sinkage + offset [mm]" : "sinkage [mm]";
  Figure figure;
  for (const bool logarithmic : {false, true}) {
    figure.panels.push_back(
        make_panel(logarithmic ? "the same, logarithmic" : soil.name + ": plates, points and fit",
                   {.label = sinkage, .logarithmic = logarithmic},
                   {.label = "pressure [kPa]", .logarithmic = logarithmic}, levels));
  }
  if (soil.shear) {
    figure.panels.push_back(make_panel("shear, by normal stress", {.label = "displacement [mm]"},
                                       {.label = "shear stress [kPa]"}, shear_levels(*soil.shear)));
  }
  return figure;
}

}  // namespace grouser::internal
