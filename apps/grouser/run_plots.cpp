#include "run_plots.h"

#include <cmath>
#include <optional>

#include "core/error.h"
#include "mission_plots.h"
#include "render/figure.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMostPoints = 1000;  // of a curve: more do not show
constexpr std::size_t kMostCurves = 8;     // of a panel: as many as there are colours

/// The rows of a run that are drawn: all, or evenly spread ones.
struct DrawnRows {
  explicit DrawnRows(const RunReader& run) : stride((run.rows() + kMostPoints - 1) / kMostPoints) {}

  std::vector<double> of(const std::vector<double>& all, double factor = 1) const {
    std::vector<double> some;
    for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(factor * all[i]);
    return some;
  }
  std::size_t stride;
};

struct Quantity {
  const char* path;
  const char* title;
  const char* axis;
  double factor = 1;  ///< from SI to what the axis says
};

/// A curve per column of a quantity; nothing if the run has none of it. `names` are for the legend.
std::optional<Panel> panel_of(const RunReader& run, const DrawnRows& rows, const Quantity& quantity,
                              const std::vector<std::string>& names = {}) {
  if (!run.has(quantity.path)) return std::nullopt;
  Panel panel{.title = quantity.title, .x = {.label = "time [s]"}, .y = {.label = quantity.axis}};
  const std::vector<double> time = rows.of(run.read_column("/time", 0));
  const std::size_t columns = run.columns(quantity.path).size();
  for (std::size_t c = 0; c < columns && c < kMostCurves; ++c) {
    panel.series.push_back({.label = c < names.size() ? names[c] : "",
                            .x = time,
                            .y = rows.of(run.read_column(quantity.path, c), quantity.factor)});
  }
  return panel;
}

/// The way of the first body seen from above, its height and speed.
std::vector<Panel> motion_panels(const RunReader& run, const DrawnRows& rows) {
  const std::string name = run.texts("/bodies/names").front();
  const auto column = [&](const char* path, std::size_t k) {
    return rows.of(run.read_column(path, k));
  };
  const std::vector<double> time = column("/time", 0);
  const std::vector<double> vx = column("/bodies/velocity", 0), vy = column("/bodies/velocity", 1),
                            vz = column("/bodies/velocity", 2);
  std::vector<double> speed;
  for (std::size_t i = 0; i < vx.size(); ++i) speed.push_back(std::hypot(vx[i], vy[i], vz[i]));
  return {{.title = "Way of " + name + ", from above",
           .x = {.label = "x [m]"},
           .y = {.label = "y [m]"},
           .series = {{.x = column("/bodies/position", 0), .y = column("/bodies/position", 1)}}},
          {.title = "Height of " + name,
           .x = {.label = "time [s]"},
           .y = {.label = "z [m]"},
           .series = {{.x = time, .y = column("/bodies/position", 2)}}},
          {.title = "Speed of " + name,
           .x = {.label = "time [s]"},
           .y = {.label = "speed [m/s]"},
           .series = {{.x = time, .y = speed}}}};
}

}  // namespace

std::vector<NamedText> run_plots(const RunReader& run) {
  if (run.rows() == 0) throw Error(ErrorKind::input, {.message = "the run holds no samples yet"});
  const DrawnRows rows(run);
  constexpr Quantity kWheels[] = {{"/wheels/slip", "Slip", "slip [-]"},
                                  {"/wheels/sinkage", "Sinkage", "sinkage [mm]", 1e3},
                                  {"/wheels/torque", "Torque of the drives", "torque [N m]"},
                                  {"/wheels/normal", "Load of the wheels", "load [N]"}};
  Figure wheels{.panel_width = 640}, motion{.panels = motion_panels(run, rows)};
  std::vector<std::string> names = run.texts("/wheels/names");
  for (const Quantity& quantity : kWheels) {
    auto panel = panel_of(run, rows, quantity, names);
    if (panel) wheels.panels.push_back(*std::move(panel));
    names.clear();  // one legend is enough
  }
  if (auto panel = panel_of(run, rows, {"/energy/kinetic", "Kinetic energy", "energy [J]"})) {
    motion.panels.push_back(*std::move(panel));
  }
  std::vector<NamedText> plots = {{"motion.svg", to_svg(motion)}};
  if (!wheels.panels.empty()) plots.push_back({"wheels.svg", to_svg(wheels)});
  if (const auto mission = mission_figure(run)) plots.push_back({"mission.svg", to_svg(*mission)});
  return plots;
}

}  // namespace grouser::internal
