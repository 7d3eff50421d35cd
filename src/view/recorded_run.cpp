#include "view/recorded_run.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "record/run_directory.h"
#include "record/run_reader.h"
#include "view/scene_parts.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostRows = 1 << 16;    // of one answer
constexpr std::size_t kMostBlocks = 1 << 15;  // of one answer: 32 MiB

Reply json_reply(const Json& json) {
  return {.type = "application/json",
          .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

[[noreturn]] void refuse(const std::string& what, const std::string& value) {
  throw Error(ErrorKind::usage, {.message = what, .value = value});
}

/// A whole number of the query, at most `most`; `usual` if it is not there.
std::size_t number_of(const Target& target, const char* name, std::size_t usual, std::size_t most) {
  const auto found = target.query.find(name);
  if (found == target.query.end()) return std::min(usual, most);
  const std::string& text = found->second;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) refuse("this is no number", text);
  return std::min(number, most);
}

Json scene_json(const RunInfo& info) {
  return {{"name", info.scene_name},
          {"file", info.scene_file},
          {"hash", info.scene_hash},
          {"text", info.scene_text},
          {"integrator", info.integrator},
          {"step", info.step},
          {"record_rate_hz", info.record_rate_hz},
          {"seed", info.seed},
          {"gravity", {info.gravity.x(), info.gravity.y(), info.gravity.z()}},
          {"created", info.created},
          {"version", info.grouser_version}};
}

/// summary.json beside the run; null if there is none or it is something else.
Json summary_beside(const fs::path& run_file) {
  std::ifstream file(run_file.parent_path() / kSummaryFile);
  const Json summary = Json::parse(file, nullptr, false);
  return summary.is_object() ? summary : Json(nullptr);
}

/// Which body a wheel is: run files name both. -1 if that does not tell.
int body_of_wheel(const std::string& wheel, const std::vector<std::string>& bodies) {
  for (const char* ending : {"", "_wheel", "_wheel_link", "_link"}) {
    const auto found = std::ranges::find(bodies, wheel + ending);
    if (found != bodies.end()) return static_cast<int>(found - bodies.begin());
  }
  return -1;
}

}  // namespace

struct RecordedRun::Impl {
  RunReader run;
  Looks looks;
  std::optional<RecordedGround> ground;
  std::optional<RecordedSoilHistory> soil;

  explicit Impl(const fs::path& path) : run(path), ground(run.ground()), soil(run.soil_history()) {
    if (run.rows() == 0) {
      throw Error(ErrorKind::input,
                  {.message = "the run holds no samples yet", .file = run.file()});
    }
    const nlohmann::json visuals = nlohmann::json::parse(run.visuals(), nullptr, false);
    looks = looks_of(visuals.is_array() ? visuals : nlohmann::json::array(),
                     run.texts("/bodies/names").size());
  }

  Json describe() const {
    const std::vector<std::string> bodies = run.texts("/bodies/names");
    Json json = {{"mode", "recorded"},
                 {"scene", scene_json(run.info())},
                 {"rows", run.rows()},
                 {"complete", run.is_complete()},
                 {"bodies", bodies},
                 {"wheels", Json::array()},
                 {"events", Json::array()},
                 {"looks", looks.list},
                 {"warnings", looks.warnings},
                 {"series", Json::array()},
                 {"ground", ground.has_value()},
                 {"soil", nullptr},
                 {"summary", summary_beside(run.file())}};
    for (const std::string& wheel : run.texts("/wheels/names")) {
      json["wheels"].push_back({{"name", wheel}, {"body", body_of_wheel(wheel, bodies)}});
    }
    for (const RunEvent& event : run.events()) {
      json["events"].push_back({{"time", event.time}, {"name", event.name}});
    }
    for (const std::string& quantity : run.quantities())
      json["series"].push_back(describe_series(quantity));
    if (soil) json["soil"] = soil_grid_json(soil->grid);
    return json;
  }

  Json describe_series(const std::string& quantity) const {
    Json labels = Json::array(), units = Json::array();
    for (const Column& column : run.columns(quantity)) {
      labels.push_back(column.label);
      units.push_back(column.unit);
    }
    return {{"path", quantity}, {"labels", labels}, {"units", units}};
  }

  /// f64 times, then of each row and body a pose.
  Reply frames(const Target& target) const {
    const std::size_t first = number_of(target, "first", 0, run.rows());
    const std::size_t count = number_of(target, "count", run.rows() - first, kMostRows);
    const Table time = run.read("/time", first, count);
    const Table p = run.read("/bodies/position", first, count);
    const Table q = run.read("/bodies/quaternion", first, count);
    const std::size_t bodies = p.columns / 3;
    ByteWriter bytes;
    bytes.reserve(time.rows * (8 + 28 * bodies));
    for (const double t : time.values) bytes.f64(t);
    for (std::size_t row = 0; row < p.rows; ++row) {
      for (std::size_t b = 0; b < bodies; ++b) {
        for (std::size_t k = 0; k < 3; ++k) bytes.f32(p(row, 3 * b + k));
        for (const std::size_t k : {1, 2, 3, 0}) bytes.f32(q(row, 4 * b + k));
      }
    }
    return {.body = bytes.take()};
  }

  Reply series(const Target& target) const {
    const auto path = target.query.find("path");
    if (path == target.query.end() || !run.has(path->second)) {
      refuse("the run has no such quantity", path == target.query.end() ? "" : path->second);
    }
    const std::size_t first = number_of(target, "first", 0, run.rows());
    const std::size_t count = number_of(target, "count", run.rows() - first, kMostRows);
    const Table table = run.read(path->second, first, count);
    ByteWriter bytes;
    bytes.reserve(4 * table.values.size());
    for (const double value : table.values) bytes.f32(value);
    return {.body = bytes.take()};
  }

  /// u32 snapshots, u32 blocks; f64 times; u32 blocks up to each; i32 place of each block.
  Reply soil_index() const {
    if (!soil) refuse("no body presses into soil", "soil");
    ByteWriter bytes;
    bytes.u32(soil->times.size());
    bytes.u32(soil->places.size() / 2);
    for (const double time : soil->times) bytes.f64(time);
    for (const std::size_t until : soil->block_until) bytes.u32(until);
    for (const std::int32_t place : soil->places) bytes.i32(place);
    return {.body = bytes.take()};
  }

  Reply soil_blocks(const Target& target) const {
    if (!soil) refuse("no body presses into soil", "soil");
    const std::size_t all = soil->places.size() / 2;
    const std::size_t first = number_of(target, "first", 0, all);
    const std::size_t count =
        number_of(target, "count", all - first, std::min(kMostBlocks, all - first));
    ByteWriter bytes;
    for (const float value : run.soil_blocks(first, count)) bytes.put(value);
    return {.body = bytes.take()};
  }

  Reply ground_reply() const {
    if (!ground) refuse("the scene has no ground", "ground");
    return {.body = encode_ground(ground->grid, ground->heights)};
  }
};

RecordedRun::RecordedRun(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {}
RecordedRun::~RecordedRun() = default;

Reply RecordedRun::answer(const Target& target) const {
  if (target.path == "/api/run") return json_reply(impl_->describe());
  if (target.path == "/api/frames") return impl_->frames(target);
  if (target.path == "/api/series") return impl_->series(target);
  if (target.path == "/api/ground") return impl_->ground_reply();
  if (target.path == "/api/meshes") return {.body = encode_meshes(impl_->looks.meshes)};
  if (target.path == "/api/rocks") {
    return {.body = encode_meshes(impl_->ground ? std::vector{impl_->ground->rocks}
                                                : std::vector<TriMesh>())};
  }
  if (target.path == "/api/soil") return impl_->soil_index();
  if (target.path == "/api/soil/blocks") return impl_->soil_blocks(target);
  refuse("there is no such thing", target.path);
}

}  // namespace grouser::internal
