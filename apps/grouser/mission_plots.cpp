#include "mission_plots.h"

#include <fmt/format.h>

#include <algorithm>

namespace grouser::internal {
namespace {

constexpr double kHour = 3600;              // [s]
constexpr double kLong = 2 * kHour;         // runs that are drawn over hours
constexpr std::size_t kCurvePoints = 3000;  // more do not show

/// Time axis of a run, and every few rows of its columns.
struct TimeAxis {
  explicit TimeAxis(const RunReader& run)
      : all(run.read_column("/time", 0)),
        scale(all.back() - all.front() > kLong ? kHour : 1),
        stride((all.size() + kCurvePoints - 1) / kCurvePoints) {}

  std::vector<double> thinned(const std::vector<double>& column, double factor) const {
    std::vector<double> some;
    for (std::size_t k = 0; k < column.size(); k += stride) some.push_back(factor * column[k]);
    return some;
  }
  Axis axis() const { return {.label = scale > 1 ? "time [h]" : "time [s]"}; }

  std::vector<double> all;  // [s]
  double scale;
  std::size_t stride;
};

Series curve_of(const RunReader& run, const TimeAxis& time, const char* path, const char* label,
                double factor = 1) {
  return {.label = label,
          .x = time.thinned(time.all, 1 / time.scale),
          .y = time.thinned(run.read_column(path, 0), factor)};
}

/// A bar per activity, from where it began to where it ended; the first on top.
Panel timeline(const RunReader& run, const TimeAxis& time) {
  Panel panel{.title = "Activities", .x = time.axis(), .y = {.label = "activity"}};
  const std::vector<std::string> names = run.texts("/mission/names");
  const std::vector<double> activity = run.read_column("/mission/activity", 0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double index = static_cast<double>(k), row = index + 1;
    const auto first = std::ranges::find(activity, index);
    if (first == activity.end()) continue;
    const auto after = std::find_if(first, activity.end(), [&](double a) { return a != index; });
    const auto at = [&](auto place) {
      const auto row_of = static_cast<std::size_t>(place - activity.begin());
      return time.all[std::min(row_of, time.all.size() - 1)] / time.scale;
    };
    Series bar{.label = fmt::format("{} {}", k + 1, names[k])};
    // Narrow strips side by side make a bar.
    constexpr int kStrips = 31;
    for (int strip = 0; strip < kStrips; ++strip) {
      const double y = row + 0.3 * (2.0 * strip / (kStrips - 1) - 1);
      const bool back = strip % 2 != 0;
      bar.x.insert(bar.x.end(), {back ? at(after) : at(first), back ? at(first) : at(after)});
      bar.y.insert(bar.y.end(), {y, y});
    }
    panel.series.push_back(std::move(bar));
  }
  panel.y.low = 0;
  panel.y.high = static_cast<double>(names.size()) + 1;
  return panel;
}

Panel powers(const RunReader& run, const TimeAxis& time) {
  return {.title = "Electrical power",
          .x = time.axis(),
          .y = {.label = "power [W]"},
          .series = {curve_of(run, time, "/power/solar", "solar"),
                     curve_of(run, time, "/power/motors", "motors"),
                     curve_of(run, time, "/power/heaters", "heaters"),
                     curve_of(run, time, "/power/loads", "loads"),
                     curve_of(run, time, "/power/payload", "payload")}};
}

}  // namespace

std::optional<Figure> mission_figure(const RunReader& run) {
  Figure figure{.columns = 1, .panel_width = 860};
  const TimeAxis time(run);
  if (run.has("/mission/activity")) figure.panels.push_back(timeline(run, time));
  if (run.has("/power/charge")) {
    Panel charge{.title = "State of charge",
                 .x = time.axis(),
                 .y = {.label = "charge [%]"},
                 .series = {curve_of(run, time, "/power/charge", "", 100)}};
    figure.panels.push_back(std::move(charge));
    figure.panels.push_back(powers(run, time));
  }
  if (figure.panels.empty()) return std::nullopt;
  return figure;
}

}  // namespace grouser::internal
