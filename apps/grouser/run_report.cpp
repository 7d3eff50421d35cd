#include "run_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "run_picture.h"
#include "run_plots.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, 'DejaVu Sans', sans-serif; color: #202428; max-width: 1180px; margin: 2em auto; padding: 0 1.2em }
h1 { margin-bottom: 0 } h2 { margin-top: 1.8em; border-bottom: 2px solid #c9814c; padding-bottom: .15em }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25em .9em .25em 0; text-align: left; vertical-align: top } th { color: #5a636b; font-weight: 500 }
table.numbers td:not(:first-child), table.numbers th:not(:first-child) { text-align: right }
table.numbers tr + tr { border-top: 1px solid #e3e5e8 }
.lead { color: #5a636b; margin-top: .2em } .warning { background: #fff4d6; border-left: 4px solid #d9a200; padding: .4em .8em; margin: .4em 0 }
.good { color: #1b7f3b } .bad { color: #b3261e }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 12px }
.pictures img { width: 100%; border-radius: 8px } figure { margin: 0 } figcaption { color: #5a636b; font-size: 13px }
svg { width: 100%; height: auto } pre { background: #f4f5f6; padding: 1em; overflow: auto; border-radius: 8px; font-size: 13px }
code { background: #f4f5f6; padding: .1em .3em; border-radius: 4px } @media print { body { margin: 0 } h2 { break-after: avoid } }
)";

/// As text of a page.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (k + i < bytes.size() ? static_cast<unsigned>(bytes[k + i]) : 0U);
    }
    const std::size_t given = std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= given ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return text;
}

/// A value of the summary as people read it.
std::string shown(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  if (!value.is_object()) return value.dump();
  std::string text;
  for (const auto& [key, part] : value.items()) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key, shown(part));
  }
  return text;
}

class Page {
 public:
  void heading(std::string_view text) { text_ += fmt::format("<h2>{}</h2>\n", plain(text)); }
  void raw(std::string_view html) { text_ += html; }
  void facts(const std::vector<std::pair<std::string, std::string>>& rows) {
    text_ += "<table>\n";
    for (const auto& [name, value] : rows) {
      text_ += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", plain(name), plain(value));
    }
    text_ += "</table>\n";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_outcome(const RunReader& run, const Json& summary, Page& page) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](const char* key, const char* name, const char* unit) {
    if (!summary.contains(key) || summary[key].is_null()) return;
    rows.emplace_back(name, fmt::format("{}{}", shown(summary[key]), unit));
  };
  add("outcome", "outcome", "");
  add("verdict", "verdict", "");
  add("sim_time_s", "simulated", " s");
  add("real_time_factor", "speed", "× real time");
  add("distance_m", "distance", " m");
  add("energy_J", "energy of the motors", " J");
  add("soil", "soil", "");
  add("steps", "steps", "");
  add("state_hash", "state hash", "");
  const std::vector<double> times = run.read_column("/time", 0);
  rows.emplace_back(
      "recorded", fmt::format("{} samples, {:g} ... {:g} s{}", run.rows(), times.front(),
                              times.back(), run.is_complete() ? "" : "; the record was not ended"));
  for (const RunEvent& event : run.events()) {
    rows.emplace_back("event", fmt::format("{} at {:.6g} s", event.name, event.time));
  }
  page.heading("How it went");
  page.facts(rows);
}

/// A text, or an object with a message and perhaps its time.
std::string note_text(const Json& note) {
  if (!note.is_object() || !note.contains("message")) return shown(note);
  std::string text = shown(note["message"]);
  const auto time = note.find("time_s");
  if (time != note.end() && time->is_number()) {
    text += fmt::format(" (at {:.4g} s)", time->get<double>());
  }
  return text;
}

/// What the summary lists under a key.
void add_notes(const Json& summary, const char* key, const char* heading, Page& page) {
  if (!summary.contains(key) || !summary[key].is_array() || summary[key].empty()) return;
  page.heading(heading);
  for (const Json& note : summary[key]) {
    page.raw(fmt::format("<p class=\"warning\">{}</p>\n", plain(note_text(note))));
  }
}

void add_wheels(const Json& summary, Page& page) {
  if (!summary.contains("wheels") || !summary["wheels"].is_array() || summary["wheels"].empty())
    return;
  struct Column {
    const char *key, *head;
    double factor;
  };
  constexpr Column kColumns[] = {
      {"slip_mean", "slip, mean [%]", 100},      {"sinkage_max_m", "sinkage, maximum [mm]", 1000},
      {"torque_rms_Nm", "torque, rms [N m]", 1}, {"normal_mean_N", "load, mean [N]", 1},
      {"pull_mean_N", "pull, mean [N]", 1},      {"lateral_mean_N", "lateral, mean [N]", 1},
      {"power_mean_W", "power, mean [W]", 1}};
  page.heading("Wheels");
  page.raw("<table class=\"numbers\"><tr><th>wheel</th>");
  for (const Column& column : kColumns) page.raw(fmt::format("<th>{}</th>", column.head));
  page.raw("</tr>\n");
  for (const Json& wheel : summary["wheels"]) {
    page.raw(fmt::format("<tr><td>{}</td>", plain(wheel.value("name", ""))));
    for (const auto& [key, head, factor] : kColumns) {
      const bool has = wheel.contains(key) && wheel[key].is_number();
      page.raw(fmt::format("<td>{}</td>",
                           has ? fmt::format("{:.3g}", factor * wheel[key].get<double>()) : "–"));
    }
    page.raw("</tr>\n");
  }
  page.raw("</table>\n");
}

void add_pictures(const RunReader& run, Page& page) {
  struct View {
    ViewFrom from;
    double part;  ///< of the run's time
    const char* caption;
  };
  constexpr View kViews[] = {{ViewFrom::corner, 0, "beginning"},
                             {ViewFrom::corner, 0.5, "half-way"},
                             {ViewFrom::corner, 1, "end"},
                             {ViewFrom::top, 1, "end, from above"}};
  const std::vector<double> times = run.read_column("/time", 0);
  page.heading("Pictures");
  page.raw("<div class=\"pictures\">\n");
  for (const View& view : kViews) {
    const double time = times.front() + view.part * (times.back() - times.front());
    const RunPicture picture =
        picture_of_run(run, {.time = time, .view = view.from, .width = 960, .height = 600});
    std::string caption = fmt::format("{}, {:.2f} s", view.caption, time);
    if (picture.ruts)
      caption += fmt::format("; ruts down to {:.1f} mm (blue)", 1e3 * picture.ruts->range.sunk);
    page.raw(
        fmt::format("<figure><img alt=\"{0}\" "
                    "src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
                    plain(caption), base64(encode_png(picture.image))));
  }
  page.raw("</div>\n");
}

void add_plots(const RunReader& run, Page& page) {
  page.heading("Over time");
  int number = 0;
  for (NamedText& plot : run_plots(run)) {
    // Names within a figure must differ from those of the others on the page.
    const std::string own = fmt::format("plot{}-axes", ++number);
    for (std::size_t at = 0; (at = plot.text.find("axes", at)) != std::string::npos;
         at += own.size()) {
      plot.text.replace(at, 4, own);
    }
    // Within a page SVG needs no name of its language, which looks like an address.
    constexpr std::string_view kName = " xmlns=\"http://www.w3.org/2000/svg\"";
    const std::size_t at = plot.text.find(kName);
    if (at != std::string::npos) plot.text.erase(at, kName.size());
    page.raw(plot.text);
  }
}

void add_origin(const RunInfo& info, Page& page) {
  page.heading("Where it came from");
  page.facts(
      {{"scene", fmt::format("{} ({})", info.scene_name, info.scene_file)},
       {"hash of the scene", info.scene_hash},
       {"program", "grouser " + info.grouser_version},
       {"recorded on", info.created},
       {"integrator", fmt::format("{}, step {} s", info.integrator, format_number(info.step))},
       {"seed", std::to_string(info.seed)},
       {"gravity", fmt::format("{:.4g} m/s²", info.gravity.norm())}});
  page.raw(
      "<p>To repeat it, save the scene below as scene.yaml and call <code>grouser run "
      "scene.yaml</code>.</p>\n");
  page.raw(fmt::format("<details><summary>The scene</summary><pre>{}</pre></details>\n",
                       plain(info.scene_text)));
}

}  // namespace

std::string run_report(const RunReader& run, const std::string& summary_text) {
  if (run.rows() == 0) {
    throw Error(ErrorKind::input, {.message = "the run holds no samples yet", .file = run.file()});
  }
  Json summary = Json::parse(summary_text, nullptr, false);
  if (!summary.is_object()) summary = Json::object();
  Page page;
  const std::string name = plain(run.info().scene_name);
  page.raw(fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{} – a run of "
      "Grouser</title>\n<style>{}</style></head>\n"
      "<body>\n<h1>{}</h1>\n<p class=\"lead\">A run of Grouser {}, {}</p>\n",
      name, kStyle, name, plain(run.info().grouser_version), plain(run.info().created)));
  add_outcome(run, summary, page);
  add_notes(summary, "alarms", "Alarms", page);
  add_notes(summary, "warnings", "Warnings", page);
  add_wheels(summary, page);
  add_pictures(run, page);
  add_plots(run, page);
  add_origin(run.info(), page);
  page.raw("</body></html>\n");
  return page.take();
}

}  // namespace grouser::internal
