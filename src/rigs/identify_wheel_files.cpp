#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/text.h"
#include "rigs/identify_wheel.h"

namespace grouser::internal {
namespace {

/// One quantity of the tests beside the model's, over slip.
template <class Measured, class Predicted>
Panel over_slip(const WheelIdentification& fit, const std::string& axis, Measured&& measured,
                Predicted&& predicted) {
  Panel panel{.title = {}, .x = {.label = "slip [-]"}, .y = {.label = axis}, .series = {}};
  const auto add = [&](const std::vector<WheelTest>& tests,
                       const std::vector<WheelPrediction>& predictions, const char* name,
                       int style) {
    if (tests.empty()) return;
    Series points{.label = name, .line = false, .markers = true, .style = style};
    Series model{.label = fmt::format("{} by {}", name, name_of(fit.model)),
                 .line = false,
                 .markers = true,
                 .style = style + 2};
    for (std::size_t t = 0; t < tests.size(); ++t) {
      points.x.push_back(tests[t].slip);
      points.y.push_back(measured(tests[t]));
      model.x.push_back(tests[t].slip);
      model.y.push_back(predicted(predictions[t]));
    }
    panel.series.push_back(std::move(points));
    panel.series.push_back(std::move(model));
  };
  add(fit.fitted, fit.of_fitted, "fitted", 0);
  add(fit.held_out, fit.of_held_out, "held out", 1);
  return panel;
}

Panel histories(const WheelIdentification& fit) {
  Panel panel{.title = "held out",
              .x = {.label = "time [s]"},
              .y = {.label = "sinkage [mm]"},
              .series = {}};
  for (std::size_t t = 0; t < fit.held_out.size(); ++t) {
    const WheelTest& test = fit.held_out[t];
    const int style = static_cast<int>(t);
    Series points{.label = test.name, .line = false, .markers = true, .style = style};
    Series model{.label = "", .style = style};
    for (std::size_t k = 0; k < test.history.size(); ++k) {
      points.x.push_back(test.history[k].time);
      points.y.push_back(1e3 * test.history[k].sinkage);
      model.x.push_back(test.history[k].time);
      model.y.push_back(1e3 * fit.of_held_out[t].history[k]);
    }
    if (points.x.empty()) continue;
    panel.series.push_back(std::move(points));
    panel.series.push_back(std::move(model));
  }
  return panel;
}

}  // namespace

std::string wheel_yaml(const WheelIdentification& fit) {
  std::string text = "# Of a scene; 95 % intervals behind the values.\n";
  text += fmt::format("contacts:\n  - model: {}\n    wheels: all\n", name_of(fit.model));
  for (const WheelParameter& parameter : fit.parameters) {
    const std::string interval =
        parameter.fitted
            ? fmt::format("{:.4g} ... {:.4g}", parameter.estimate.low, parameter.estimate.high)
            : "kept";
    const bool of_soil = parameter.name.starts_with("soil.");
    text += fmt::format("    {}{}: {:.6g}  # {}{}\n", of_soil ? "# the terrain's " : "",
                        parameter.name, parameter.estimate.value, interval,
                        parameter.unit == "-" ? "" : " " + parameter.unit);
  }
  return text;
}

std::string wheel_fit_csv(const WheelIdentification& fit) {
  std::string text =
      "test,held_out,slip,slip_angle_deg,load_N,sinkage_m,sinkage_model_m,pull_N,pull_model_N,"
      "torque_Nm,torque_model_Nm\n";
  const auto add = [&](const std::vector<WheelTest>& tests,
                       const std::vector<WheelPrediction>& predictions, int held_out) {
    for (std::size_t t = 0; t < tests.size(); ++t) {
      const WheelTest& test = tests[t];
      const WheelPrediction& model = predictions[t];
      text += fmt::format(
          "\"{}\",{},{},{},{},{},{},{},{},{},{}\n", test.name, held_out, format_number(test.slip),
          format_number(test.slip_angle * 180 / std::numbers::pi), format_number(test.load),
          format_number(test.sinkage), format_number(model.sinkage), format_number(test.pull),
          format_number(model.pull), test.torque ? format_number(*test.torque) : std::string(),
          format_number(model.torque));
    }
  };
  add(fit.fitted, fit.of_fitted, 0);
  add(fit.held_out, fit.of_held_out, 1);
  return text;
}

Figure wheel_fit_figure(const WheelIdentification& fit) {
  Figure figure;
  figure.panels = {over_slip(
                       fit, "sinkage [mm]", [](const WheelTest& t) { return 1e3 * t.sinkage; },
                       [](const WheelPrediction& p) { return 1e3 * p.sinkage; }),
                   over_slip(
                       fit, "pull [N]", [](const WheelTest& t) { return t.pull; },
                       [](const WheelPrediction& p) { return p.pull; })};
  if (std::ranges::any_of(fit.fitted, [](const WheelTest& t) { return t.torque.has_value(); })) {
    figure.panels.push_back(over_slip(
        fit, "torque [N m]", [](const WheelTest& t) { return t.torque.value_or(0); },
        [](const WheelPrediction& p) { return p.torque; }));
  }
  if (Panel panel = histories(fit); !panel.series.empty()) {
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace grouser::internal
