#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/disk.h"
#include "core/error.h"
#include "core/issue_lines.h"
#include "core/long_task.h"
#include "core/parallel.h"
#include "record/run_reader.h"
#include "record/run_writer.h"
#include "record/summary.h"
#include "render/image.h"
#include "run_picture.h"
#include "scene/load_scene.h"
#include "scene/rover_draft.h"
#include "sim/simulation.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kSettleTime = 1;  // [s]: the scene's rover stands that long

struct UrdfCommandOptions {
  std::string robot;
  std::vector<std::string> arguments;
  std::string output;
  std::string ground = "scm";
  bool force = false;
  bool no_picture = false;
  JsonOption json;
  RoverDraftOptions draft;
};

/// How the rover stands after it was set down.
struct Standing {
  std::vector<std::string> wheels;
  std::vector<double> loads;  ///< of the wheels along the ground's normal [N]
  double weight = 0;          ///< [N]
  Vec3 attitude = Vec3::Zero();
  std::vector<std::string> warnings;
};

XacroArguments arguments_of(const std::vector<std::string>& words) {
  XacroArguments arguments;
  for (const std::string& word : words) {
    const std::size_t mark = word.find(":=");
    if (mark == std::string::npos || mark == 0) {
      throw Error(
          ErrorKind::usage,
          {.message = "is no argument of a xacro file", .value = word, .legal = "NAME:=VALUE"});
    }
    arguments[word.substr(0, mark)] = word.substr(mark + 2);
  }
  return arguments;
}

/// The robot's name without its endings: rover.urdf.xacro gives rover.yaml.
fs::path scene_path(const UrdfCommandOptions& options) {
  if (!options.output.empty()) return options.output;
  fs::path name = fs::path(options.robot).filename();
  while (name.has_extension()) name = name.stem();
  return name.string() + ".yaml";
}

void refuse_to_overwrite(const fs::path& file, bool force) {
  std::error_code ignored;
  if (force || !fs::exists(file, ignored)) return;
  throw Error(ErrorKind::input,
              {.message = "exists already: --force overwrites it, -o gives another name",
               .file = file.string()});
}

void write_file(const fs::path& file, const std::string& text) {
  AtomicFile output(file.string());
  output.write(text);
  output.commit();
}

/// A folder for the record of the first second, which only the picture needs.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (fs::temp_directory_path() / "grouser-urdf-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorKind::io, {.message = "cannot make a folder", .file = name});
    }
    path_ = name;
  }
  ~PassingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Lets the rover stand for a second; draws it.
Standing stand_and_draw(const fs::path& scene, const fs::path& picture) {
  World world = load_scene(scene);
  world.settings.duration = kSettleTime;
  world.joint_commands.clear();  // they begin later
  const PassingFolder folder;
  Standing standing;
  {
    LongTask task("setting the rover down", static_cast<std::uint64_t>(kSettleTime * 10));
    RunWriter writer(world, folder.path() / "run");
    Simulation simulation(world);
    simulation.set_observer(&writer);
    for (int k = 1; k <= 10; ++k) {
      simulation.run_to(kSettleTime * k / 10);
      task.advance();
    }
    const Sample& sample = simulation.sample();
    for (const WheelSample& wheel : sample.wheels) standing.loads.push_back(wheel.normal);
    standing.attitude = sample.rovers.front().attitude;
    const RunReport report = simulation.report();
    standing.warnings = report.warnings;
    // What the robot's file is warned of, the draft tells.
    std::erase_if(standing.warnings, [&](const std::string& text) {
      return std::ranges::find(world.warnings, text) != world.warnings.end();
    });
    for (const Alarm& alarm : report.alarms) {
      standing.warnings.push_back(
          fmt::format("alarm {}: {}", to_string(alarm.kind), alarm.message));
    }
    simulation.set_observer(nullptr);
    writer.close();
  }
  for (const Wheel& wheel : world.rovers.front().wheels) standing.wheels.push_back(wheel.name);
  standing.weight = world.model.total_mass() * world.model.gravity().norm();
  if (!picture.empty()) {
    const RunReader run((folder.path() / "run").string());
    write_png(picture, picture_of_run(run, {}).image);
  }
  return standing;
}

/// What a user should know about how it stands.
std::vector<std::string> warnings_of(const Standing& standing, bool on_wheels_alone) {
  std::vector<std::string> warnings = standing.warnings;
  double sum = 0;
  for (std::size_t w = 0; w < standing.loads.size(); ++w) {
    sum += standing.loads[w];
    if (standing.weight > 0 && standing.loads[w] <= 0) {
      warnings.push_back(fmt::format("wheel {} does not touch the ground", standing.wheels[w]));
    }
  }
  if (on_wheels_alone && std::abs(sum - standing.weight) > 0.1 * standing.weight) {
    warnings.push_back(
        fmt::format("the wheels bear {:.4g} N of the weight of {:.4g} N after {:g} s: the "
                    "rover has not come to rest, or tips over",
                    sum, standing.weight, kSettleTime));
  }
  const double tilt = std::hypot(standing.attitude.x(), standing.attitude.y());
  if (tilt > 0.26)
    warnings.push_back(fmt::format("the rover leans by {:.0f} degrees", tilt * 57.29578));
  return warnings;
}

Json vector_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json draft_json(const RoverDraft& draft, const fs::path& scene, const fs::path& picture,
                const Standing& standing, const std::vector<std::string>& warnings) {
  Json wheels = Json::array();
  for (std::size_t w = 0; w < draft.wheels.size(); ++w) {
    const DraftedWheel& wheel = draft.wheels[w];
    wheels.push_back({{"link", wheel.link},
                      {"drive", wheel.drive},
                      {"steer", wheel.steer.empty() ? Json(nullptr) : Json(wheel.steer)},
                      {"driven", wheel.driven},
                      {"radius_m", wheel.radius},
                      {"width_m", wheel.width},
                      {"centre_m", vector_json(wheel.centre)},
                      {"load_N", standing.loads.at(w)}});
  }
  Json motors = Json::array();
  for (const ProposedMotor& motor : draft.motors) {
    motors.push_back({{"joint", motor.joint},
                      {"type", motor.is_drive ? "velocity" : "position"},
                      {"kp", motor.kp},
                      {"kd", motor.kd},
                      {"max_effort", motor.max_effort}});
  }
  return {{"scene", scene.string()},
          {"urdf", draft.urdf_file.string()},
          {"picture", picture.empty() ? Json(nullptr) : Json(picture.string())},
          {"robot", draft.robot},
          {"chassis", draft.chassis},
          {"mass_kg", draft.mass},
          {"weight_N", standing.weight},
          {"speed_m_s", draft.speed},
          {"step_s", draft.scene.step},
          {"spacing_m", draft.scene.spacing},
          {"wheels", wheels},
          {"motors", motors},
          {"free_joints", draft.free_joints},
          {"held_joints", draft.held_joints},
          {"supports", draft.supports},
          {"notes", draft.notes},
          {"changes", draft.changes},
          {"warnings", warnings}};
}

void print_wheels(const RoverDraft& draft, const Standing& standing) {
  fmt::print("\n  {:<28}{:<24}{:>9}{:>9}{:>26}{:>9}\n", "wheel", "steered by", "radius", "width",
             "centre", "load");
  fmt::print("  {:<28}{:<24}{:>9}{:>9}{:>26}{:>9}\n", "", "", "[m]", "[m]", "[m]", "[N]");
  for (std::size_t w = 0; w < draft.wheels.size(); ++w) {
    const DraftedWheel& wheel = draft.wheels[w];
    fmt::print(
        "  {:<28}{:<24}{:>9.4g}{:>9.4g}{:>26}{:>9.4g}\n", wheel.link,
        wheel.steer.empty() ? "-" : wheel.steer, wheel.radius, wheel.width,
        fmt::format("{:.3f}, {:.3f}, {:.3f}", wheel.centre.x(), wheel.centre.y(), wheel.centre.z()),
        standing.loads.at(w));
  }
}

void print_draft(const RoverDraft& draft, const fs::path& scene, const fs::path& picture,
                 const Standing& standing, double seconds) {
  fmt::print("{}: {:.4g} kg, {} wheels, chassis '{}'; {:.2g} s\n", draft.robot, draft.mass,
             draft.wheels.size(), draft.chassis, seconds);
  print_wheels(draft, standing);
  fmt::print("\nAssumed:\n");
  const auto item = [](const std::string& text) { fmt::print("  - {}\n", text); };
  for (const std::string& note : draft.notes) item(note);
  for (const DraftedWheel& wheel : draft.wheels) {
    if (wheel.offset < 1e-3) continue;
    item(fmt::format(
        "wheels roll where their collision shapes are, e.g. {:.3g} m beside the origin of '{}'",
        wheel.offset, wheel.link));
    break;
  }
  if (!draft.free_joints.empty()) {
    item(fmt::format("suspension, left free: {}", fmt::join(draft.free_joints, ", ")));
  }
  if (!draft.held_joints.empty()) {
    item(fmt::format("held by servos: {}", fmt::join(draft.held_joints, ", ")));
  }
  item(fmt::format(
      "wheels are smooth cylinders; it drives at {:g} m/s; motors and their gains are told in "
      "the scene",
      draft.speed));
  for (const std::string& change : draft.changes) fmt::print("Changed: {}\n", change);
  fmt::print("\nWritten: {}", scene.string());
  if (draft.urdf) fmt::print(", {}", draft.urdf_file.string());
  if (!picture.empty()) fmt::print(", {}", picture.string());
  fmt::print("\nNext: grouser run {0}\n      grouser run --check {0}   # how exact is it?\n",
             scene.string());
}

GroundKind ground_of(const std::string& word) {
  if (word == "terra") return GroundKind::terra;
  return word == "hard" ? GroundKind::hard : GroundKind::scm;
}

int make_rover_scene(UrdfCommandOptions options) {
  const auto begin = std::chrono::steady_clock::now();
  const CancelScope scope;
  const fs::path scene = scene_path(options);
  if (scene.has_parent_path()) {
    std::error_code error;
    fs::create_directories(scene.parent_path(), error);
  }
  refuse_to_overwrite(scene, options.force);
  options.draft.arguments = arguments_of(options.arguments);
  options.draft.ground = ground_of(options.ground);
  options.draft.scene = scene;
  const RoverDraft draft = draft_rover(options.robot, options.draft);
  if (draft.urdf) {
    refuse_to_overwrite(draft.urdf_file, options.force);
    write_file(draft.urdf_file, *draft.urdf);
  }
  write_file(scene, draft.scene.text);
  fs::path picture = scene;
  picture.replace_extension(".png");
  if (options.no_picture) picture.clear();
  const Standing standing = stand_and_draw(scene, picture);
  std::vector<std::string> warnings;
  for (const std::string& text : lines_of(draft.warnings)) warnings.push_back(text);
  for (const std::string& text : warnings_of(standing, draft.supports.empty())) {
    warnings.push_back(text);
  }
  if (options.json.on) {
    fmt::print("{}\n", to_line(draft_json(draft, scene, picture, standing, warnings)));
    return 0;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print_draft(draft, scene, picture, standing, seconds);
  for (const std::string& text : warnings) fmt::print(stderr, "warning: {}\n", text);
  return 0;
}

}  // namespace

void add_urdf_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<UrdfCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "urdf", "make a scene, ready to drive, of a robot's URDF or xacro file; docs/urdf.md");
  command->add_option("ROBOT", options->robot, "URDF or xacro file of the rover")->required();
  command->add_option("ARGUMENTS", options->arguments, "arguments of a xacro file, NAME:=VALUE");
  command->add_option(
      "-o,--output", options->output,
      "scene to write (default: ROBOT.yaml here); its picture stands beside it as .png");
  command
      ->add_option("--ground", options->ground,
                   "scm: soft soil; terra: its fast model; hard (default: scm)")
      ->check(CLI::IsMember({"scm", "terra", "hard"}));
  command->add_option("--soil", options->draft.soil, "a preset (default: dry_sand)");
  command->add_option("--gravity", options->draft.gravity, "of a place (default: earth)");
  command->add_option("--speed", options->draft.speed, "[m/s] (default: one that fits the wheels)")
      ->check(CLI::Range(1e-4, 100.0));
  command->add_option("--name", options->draft.name, "of the model (default: the robot's)");
  command->add_flag("--fix", options->draft.fix,
                    "mend inertias that no body has, in a copy of the robot beside the scene");
  command->add_flag("--force", options->force, "overwrite what was written before");
  command->add_flag("--no-picture", options->no_picture, "no picture");
  options->json.add_to(*command);
  command->callback(
      [options, &action] { action = [options] { return make_rover_scene(*options); }; });
}

}  // namespace grouser::internal
