#include "rigs/model_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "rigs/rig_files.h"
#include "rigs/rig_json.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

/// Puts a name before each line of a table; the header only once.
void append_table(const std::string& name, const std::string& table, std::string& text) {
  std::size_t begin = 0;
  bool header = true;
  while (begin < table.size()) {
    const std::size_t end = table.find('\n', begin);
    const std::string line = table.substr(begin, end - begin);
    if (!header) text += name + "," + line + "\n";
    if (header && text.empty()) text = "model," + line + "\n";
    header = false;
    begin = end + 1;
  }
}

/// Cases at the first slip angle, in the order of slip.
std::vector<const WheelPass*> straight(const ModelPasses& run) {
  std::vector<const WheelPass*> passes;
  for (const WheelPass& pass : run.passes) {
    if (pass.asked.slip && pass.asked.slip_angle == run.passes.front().asked.slip_angle) {
      passes.push_back(&pass);
    }
  }
  return passes;
}

Panel over_slip(const std::vector<ModelPasses>& runs, const std::string& axis,
                Spread WheelPass::*value, double factor) {
  Panel panel{.title = {}, .x = {.label = "slip [-]"}, .y = {.label = axis}, .series = {}};
  for (const ModelPasses& run : runs) {
    Series series{.label = run.model, .markers = true};
    for (const WheelPass* pass : straight(run)) {
      series.x.push_back(*pass->asked.slip);
      series.y.push_back(factor * (pass->*value).mean);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

Panel over_time(const std::vector<ModelPasses>& runs) {
  Panel panel{
      .title = {}, .x = {.label = "time [s]"}, .y = {.label = "sinkage [mm]"}, .series = {}};
  for (const ModelPasses& run : runs) {
    const WheelPass* chosen = nullptr;
    for (const WheelPass* pass : straight(run)) {
      if (*pass->asked.slip >= 1) continue;
      if (chosen == nullptr || *pass->asked.slip > *chosen->asked.slip) chosen = pass;
    }
    if (chosen == nullptr) continue;
    panel.title = fmt::format("slip {:g}", *chosen->asked.slip);
    Series series{.label = run.model};
    for (const WheelSampleOnRig& sample : chosen->trace) {
      series.x.push_back(sample.time);
      series.y.push_back(1e3 * sample.sinkage);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

Panel over_slope(const std::vector<ModelSlopes>& runs, const std::string& axis,
                 double SlopeRun::*value, double factor) {
  Panel panel{.title = {}, .x = {.label = "slope [deg]"}, .y = {.label = axis}, .series = {}};
  for (const ModelSlopes& run : runs) {
    Series series{.label = run.model, .markers = true};
    for (const SlopeRun& one : run.runs) {
      if (!one.climbs) continue;
      series.x.push_back(one.slope_deg);
      series.y.push_back(factor * one.*value);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::vector<NamedModel> models_named(const std::vector<std::string>& words) {
  std::vector<std::string> known = {"scm"};
  known.insert(known.end(), kWheelModelNames.begin(), kWheelModelNames.end());
  std::vector<NamedModel> models;
  for (const std::string& word : words) {
    if (word == "all") {
      for (const std::string& name : known) models.push_back({name, find_wheel_model(name)});
    } else if (std::ranges::find(known, word) != known.end()) {
      models.push_back({word, find_wheel_model(word)});
    } else {
      const auto near = closest_match(word, known);
      throw Error(ErrorKind::usage,
                  {.message = "there is no such model" +
                              (near ? fmt::format("; did you mean '{}'?", *near) : std::string()),
                   .field = "--models",
                   .value = word,
                   .legal = fmt::format("all, {}", fmt::join(known, ", "))});
    }
  }
  return models;
}

std::vector<ModelPasses> run_wheel_models(const WheelRigSpec& spec,
                                          const std::vector<NamedModel>& models,
                                          const std::vector<WheelCase>& cases,
                                          const SweepProgress& progress) {
  std::vector<ModelPasses> runs;
  for (const NamedModel& model : models) {
    WheelRigSpec one = spec;
    one.model = model.model;
    runs.push_back({model.name, run_wheel_sweep(one, cases, progress)});
  }
  return runs;
}

std::string wheel_models_csv(const std::vector<ModelPasses>& runs) {
  std::string text;
  for (const ModelPasses& run : runs) append_table(run.model, wheel_sweep_csv(run.passes), text);
  return text;
}

std::string wheel_models_traces_csv(const std::vector<ModelPasses>& runs) {
  std::string text;
  for (const ModelPasses& run : runs) append_table(run.model, wheel_traces_csv(run.passes), text);
  return text;
}

Figure wheel_models_figure(const std::vector<ModelPasses>& runs) {
  Figure figure;
  figure.panels = {over_slip(runs, "drawbar pull [N]", &WheelPass::pull, 1),
                   over_slip(runs, "drive torque [N m]", &WheelPass::torque, 1),
                   over_slip(runs, "sinkage [mm]", &WheelPass::sinkage, 1e3), over_time(runs)};
  return figure;
}

Json wheel_models_json(const WheelRigSpec& spec, const std::vector<ModelPasses>& runs) {
  Json json = {{"rig", "wheel"}, {"soil", spec.soil.name}, {"models", Json::object()}};
  for (const ModelPasses& run : runs) {
    json["models"][run.model] = wheel_json(spec, run.passes)["cases"];
  }
  return json;
}

std::vector<ModelSlopes> run_slope_models(const SlopeSpec& spec,
                                          const std::vector<NamedModel>& models,
                                          const std::vector<double>& slopes_deg,
                                          const SweepProgress& progress) {
  std::vector<ModelSlopes> runs;
  for (const NamedModel& model : models) {
    SlopeSpec one = spec;
    one.model = model.model;
    runs.push_back({model.name, run_slope_sweep(one, slopes_deg, progress)});
  }
  return runs;
}

std::string slope_csv(const std::vector<ModelSlopes>& runs) {
  std::string text = "model,slope_deg,slip,sinkage_m,torque_Nm,climbs,steady\n";
  for (const ModelSlopes& run : runs) {
    for (const SlopeRun& one : run.runs) {
      text += fmt::format("{},{},{},{},{},{},{}\n", run.model, format_number(one.slope_deg),
                          format_number(one.slip), format_number(one.sinkage),
                          format_number(one.torque), one.climbs ? 1 : 0, one.steady ? 1 : 0);
    }
  }
  return text;
}

Figure slope_figure(const std::vector<ModelSlopes>& runs) {
  Figure figure;
  figure.panels = {over_slope(runs, "slip [-]", &SlopeRun::slip, 1),
                   over_slope(runs, "sinkage [mm]", &SlopeRun::sinkage, 1e3),
                   over_slope(runs, "drive torque [N m]", &SlopeRun::torque, 1)};
  return figure;
}

Json slope_json(const SlopeSpec& spec, const std::vector<ModelSlopes>& runs) {
  Json json = {{"rig", "slope"},
               {"rover", spec.rover},
               {"soil", spec.soil.name},
               {"models", Json::object()}};
  for (const ModelSlopes& run : runs) {
    Json list = Json::array();
    for (const SlopeRun& one : run.runs) {
      list.push_back({{"slope_deg", one.slope_deg},
                      {"slip", one.slip},
                      {"sinkage_m", one.sinkage},
                      {"torque_Nm", one.torque},
                      {"climbs", one.climbs},
                      {"steady", one.steady},
                      {"warnings", one.warnings}});
    }
    json["models"][run.model] = std::move(list);
  }
  return json;
}

}  // namespace grouser::internal
