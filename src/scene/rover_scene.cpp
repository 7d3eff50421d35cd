#include "scene/rover_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "math/angle.h"
#include "math/rotation.h"
#include "scene/gravity.h"
#include "terrain/soil.h"

namespace grouser::internal {
namespace {

constexpr double kDuration = 20;      // [s]
constexpr double kStandTime = 1;      // before it drives off [s]
constexpr double kFullSpeedTime = 3;  // [s]
constexpr double kCellsPerWidth = 6;
constexpr double kCellsPerRadius = 8;
constexpr double kLightRover = 20;  // [kg]: below, motion is quicker than 2 ms resolve
constexpr double kSetDown = 0.9;    // of the expected sinkage, so that wheels press and do not jump

/// The largest of 1, 2, 2.5, 4, 5, 8 times a power of ten that is not above.
double round_down(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  double best = decade;
  for (const double step : {2.0, 2.5, 4.0, 5.0, 8.0}) {
    if (step * decade <= value * (1 + 1e-9)) best = step * decade;
  }
  return best;
}

std::string number(double value) { return format_number(std::abs(value) < 1e-9 ? 0 : value); }

/// Hundredths of a millimetre are finer than any model of soil.
std::string metres(double value) {
  std::string text = fmt::format("{:.5f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

class RoverSceneWriter {
 public:
  RoverSceneWriter(const TreeSurvey& survey, const FoundRover& rover,
                   const std::vector<ProposedMotor>& motors,
                   const std::vector<ProposedSpring>& springs, const RoverSceneOptions& options)
      : survey_(survey), rover_(rover), motors_(motors), springs_(springs), options_(options) {}

  RoverScene run() {
    scene_.spacing = fitting_spacing(rover_);
    scene_.step = survey_.mass() < kLightRover ? 0.001 : 0.002;
    scene_.sinkage = options_.ground == GroundKind::hard ? 0 : kSetDown * sinkage();
    measure();
    head();
    terrain();
    model();
    actuators();
    loops();
    contacts();
    commands();
    return std::move(scene_);
  }

 private:
  void line(const std::string& text) { scene_.text += text + "\n"; }

  const std::string& body_name(int body) const { return survey_.body(body).data->name.text; }
  const std::string& joint_name(int body) const { return survey_.joint(body)->name.text; }
  std::string in_model(const std::string& name) const {
    return yaml_text(options_.name + "/" + name);
  }

  double load() const {
    return survey_.mass() * find_gravity(options_.gravity).value_or(9.81) /
           static_cast<double>(rover_.wheels.size());
  }

  double sinkage() const {
    double sum = 0;
    for (const FoundWheel& wheel : rover_.wheels) {
      sum += bekker_sinkage(options_.soil, load(), wheel.radius, wheel.width);
    }
    return sum / static_cast<double>(rover_.wheels.size());
  }

  /// How far the rover reaches from its root, from above.
  void measure() {
    for (const FoundWheel& wheel : rover_.wheels) {
      const Vec3 centre = survey_.body(wheel.body).X_RB * wheel.p_B;
      reach_ = std::max(reach_, centre.head<2>().norm() + wheel.radius + wheel.width);
    }
  }

  double travel() const { return options_.speed * (kDuration - kStandTime); }
  Vec2 forward() const {
    const Mat3& R = survey_.body(rover_.chassis).X_RB.R;
    return Vec2(R(0, 0), R(1, 0)).normalized();
  }

  void head() {
    line(fmt::format("# {} drives ahead, made from {} by `grouser urdf`.", options_.name,
                     options_.made_from));
    line(
        "# Robot files say nothing about motors and soil: what was assumed is told where it "
        "stands. Change it.");
    for (const std::string& note : rover_.notes) line("# Note: " + note + ".");
    line("grouser: 1");
    line("name: " + options_.name);
    line(fmt::format("description: {} wheels, {:.3g} kg", rover_.wheels.size(), survey_.mass()));
    line(fmt::format("gravity: {}   # or mars, moon, ...", options_.gravity));
    line(fmt::format("duration: {}", number(kDuration)));
    line(
        "# moreau_jean takes stiff servos and contacts implicitly: the step follows from the "
        "motion.");
    // Many wheels on a plane share their loads in many ways, which takes long to settle to 1e-8.
    const char* tolerance = options_.ground == GroundKind::hard ? ", impulse_tolerance: 1e-5" : "";
    line(fmt::format("integrator: {{method: moreau_jean, step: {}{}}}", number(scene_.step),
                     tolerance));
    line("record: {rate_hz: 20}");
    if (!rover_.supports.empty()) {
      line("watch: {chassis_contact: off}   # parts of the chassis slide on the ground");
    }
    line("");
  }

  void terrain() {
    const double length = std::ceil(travel() + 2 * reach_ + 1);
    const double width = std::ceil(2 * reach_ + 1);
    line("terrain:");
    line("  # Flat. Add noise: {rms_deviation: 0.01}, or a file; docs/scene-format.md.");
    line(fmt::format("  surface: {{size: [{}, {}]}}", number(length), number(width)));
    line(fmt::format("  spacing: {}   # at most a sixth of a wheel's width",
                     metres(scene_.spacing)));
    line(fmt::format("  soil: {}   # `grouser soils` lists others\n", options_.soil));
  }

  void model() {
    const Vec2 start = -0.5 * travel() * forward();
    line("models:");
    line("  - name: " + options_.name);
    line("    urdf: " + yaml_text(options_.urdf));
    line("    on_ground: true");
    line(fmt::format("    # The wheels' lowest point is {} m {} the root{}.",
                     metres(std::abs(rover_.lowest)), rover_.lowest <= 0 ? "below" : "above",
                     scene_.sinkage > 0
                         ? fmt::format("; they begin {} m in the soil, about as deep as they stand",
                                       metres(scene_.sinkage))
                         : std::string()));
    line(fmt::format("    position: [{}, {}, {}]", metres(start.x()), metres(start.y()),
                     metres(-rover_.lowest - scene_.sinkage)));
    line("    chassis: " + yaml_text(body_name(rover_.chassis)));
    line(
        "    # Sizes and centres are those of the collision shapes; `position` is the centre in "
        "the link.");
    line("    wheels:");
    for (const FoundWheel& wheel : rover_.wheels) line("      - " + wheel_entry(wheel));
    springs();
    line("");
  }

  std::string wheel_entry(const FoundWheel& wheel) const {
    std::string entry = fmt::format("{{body: {}, drive: {}", yaml_text(body_name(wheel.body)),
                                    yaml_text(joint_name(wheel.body)));
    if (wheel.steer >= 0) entry += ", steer: " + yaml_text(joint_name(wheel.steer));
    entry += fmt::format(", radius: {}, width: {}", metres(wheel.radius), metres(wheel.width));
    if (wheel.p_B.norm() > 1e-5) {
      entry += fmt::format(", position: [{}, {}, {}]", metres(wheel.p_B.x()), metres(wheel.p_B.y()),
                           metres(wheel.p_B.z()));
    }
    return entry + "}";
  }

  void springs() {
    if (springs_.empty()) return;
    line(
        "    # Sliding joints above wheels: springs that bear the weight at a quarter of the "
        "travel.");
    line("    joints:");
    for (const ProposedSpring& spring : springs_) {
      line(fmt::format("      {}: {{stiffness: {}, damping: {}}}", yaml_text(spring.joint),
                       number(spring.stiffness), number(spring.damping)));
    }
  }

  void actuators() {
    line(
        "# Motors. Drives are velocity servos: kd = T / (0.04 ω), T the torque of 0.25 of a "
        "wheel's load at its");
    line(
        fmt::format("# rim plus the joint's friction, ω = {:.3g} rad/s. All others are position "
                    "servos that give",
                    options_.speed / rover_.wheels.front().radius));
    line(
        "# way by 1 degree (steering) or 0.5 degree (all else) under what they bear; kd damps "
        "critically.");
    line("actuators:");
    for (const ProposedMotor& motor : motors_) {
      const std::string gains =
          motor.is_drive
              ? fmt::format("type: velocity, kd: {:.3g}", motor.kd)
              : fmt::format("type: position, kp: {:.3g}, kd: {:.3g}", motor.kp, motor.kd);
      line(fmt::format("  - {{joint: {}, {}, max_effort: {}}}   # {}", in_model(motor.joint), gains,
                       number(motor.max_effort), motor.why));
    }
    line("");
  }

  void loops() {
    if (!rover_.differential) return;
    const FoundDifferential& ties = *rover_.differential;
    line("# Both sides swing freely in the file; a differential keeps the chassis at their mean.");
    line("loops:");
    line(fmt::format("  - {{name: differential, type: coupling, joints: {{{}: 1, {}: {}}}}}\n",
                     in_model(joint_name(ties.left)), in_model(joint_name(ties.right)),
                     number(ties.factor)));
  }

  void contacts() {
    const std::string hard = ", material: {friction: 0.7, restitution: 0}}";
    const std::vector<std::pair<GroundKind, std::vector<std::string>>> choices = {
        {GroundKind::scm,
         {"# Soft soil that yields and keeps ruts:", "- {model: scm, wheels: all}"}},
        {GroundKind::terra,
         {"# The fast wheel model, without ruts:", "- {model: terra, wheels: all}"}},
        {GroundKind::hard,
         {"# Hard ground:", "- {model: bbcc, wheels: all, group: rover" + hard,
          "- {model: bbcc, terrain: true" + hard}}};
    line("contacts:");
    for (const auto& [kind, lines] : choices) {
      for (const std::string& text : lines) {
        const bool off = kind != options_.ground && !text.starts_with("#");
        line((off ? "  # " : "  ") + text);
      }
    }
    supports();
    line("");
  }

  /// Balls and skids: on hard ground by their collision shape, in soil by their visuals if those are simple.
  void supports() {
    for (const FoundSupport& support : rover_.supports) {
      const BodyData& body = *survey_.body(support.body).data;
      const std::string name = in_model(body.name.text);
      line("  # Slides along, nearly without friction:");
      const bool on_hard = options_.ground == GroundKind::hard;
      line(
          fmt::format("  {}- {{model: bbcc, bodies: [{}], group: rover, shape: {{{}}}, "
                      "material: {{friction: 0.05, restitution: 0}}}}",
                      on_hard ? "" : "# ", name, shape_entry(support.shape)));
      const bool is_simple =
          !body.visuals.empty() && std::ranges::none_of(body.visuals, [](const VisualData& visual) {
            return std::holds_alternative<MeshShape>(visual.shape);
          });
      if (is_simple)
        line(fmt::format("  {}- {{model: scm, bodies: [{}]}}", on_hard ? "# " : "", name));
      if (!is_simple && !on_hard) {
        line("  # In soil it would need a closed mesh: - {model: scm, bodies: [...], mesh: FILE}");
      }
    }
  }

  static std::string shape_entry(const VisualData& shape) {
    std::string entry;
    if (const auto* sphere = std::get_if<SphereShape>(&shape.shape)) {
      entry = fmt::format("sphere: {{radius: {}}}", metres(sphere->radius));
    } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape.shape)) {
      entry = fmt::format("cylinder: {{radius: {}, length: {}}}", metres(cylinder->radius),
                          metres(cylinder->length));
    } else if (const auto* box = std::get_if<BoxShape>(&shape.shape)) {
      entry = fmt::format("box: [{}, {}, {}]", metres(box->size.x()), metres(box->size.y()),
                          metres(box->size.z()));
    }
    const Vec3 p = shape.X_BS.p, rpy = rpy_from_rotation(shape.X_BS.R) / kDegree;
    entry += fmt::format(", position: [{}, {}, {}]", metres(p.x()), metres(p.y()), metres(p.z()));
    if (rpy.norm() < 1e-3) return entry;
    return entry + fmt::format(", rpy_deg: [{}, {}, {}]", metres(rpy.x()), metres(rpy.y()),
                               metres(rpy.z()));
  }

  std::string driven_wheels() const {
    std::vector<std::string> driven;
    for (const FoundWheel& wheel : rover_.wheels) {
      if (wheel.driven) driven.push_back(yaml_text(body_name(wheel.body)));
    }
    if (driven.size() == rover_.wheels.size()) return "all";
    return fmt::format("[{}]", fmt::join(driven, ", "));
  }

  void commands() {
    const std::string v = number(options_.speed);
    line("commands:");
    line(fmt::format("  # It stands for {} s, then drives at {} m/s.", number(kStandTime), v));
    line(
        fmt::format("  - {{wheels: {}, ground_speed: {{times: [0, {}, {}], values: [0, 0, {}], "
                    "interpolation: linear}}}}",
                    driven_wheels(), number(kStandTime), number(kFullSpeedTime), v));
    line("  # Or along waypoints [m], in place of the line above:");
    const Vec2 first = -0.1 * travel() * forward();
    const Vec2 second =
        0.3 * travel() * forward() + 0.1 * travel() * Vec2(-forward().y(), forward().x());
    // Whole centimetres; + 0.0 makes zero of minus zero.
    const auto cm = [](double value) { return std::round(100 * value) / 100 + 0.0; };
    line(fmt::format("  # - path: {{waypoints: [[{}, {}], [{}, {}]], speed: {}}}", cm(first.x()),
                     cm(first.y()), cm(second.x()), cm(second.y()), v));
  }

  const TreeSurvey& survey_;
  const FoundRover& rover_;
  const std::vector<ProposedMotor>& motors_;
  const std::vector<ProposedSpring>& springs_;
  const RoverSceneOptions& options_;
  RoverScene scene_;
  double reach_ = 0;  // of the rover from its root [m]
};

}  // namespace

double fitting_spacing(const FoundRover& rover) {
  double spacing = std::numeric_limits<double>::infinity();
  for (const FoundWheel& wheel : rover.wheels) {
    spacing = std::min({spacing, wheel.width / kCellsPerWidth, wheel.radius / kCellsPerRadius});
  }
  return round_down(spacing);
}

double bekker_sinkage(const std::string& soil_name, double load, double radius, double width) {
  // A rigid wheel of width b and diameter D bears W = b k √D z^(n + 1/2) (3 - n) / 3 (Bekker 1969).
  const Soil& soil = find_soil(soil_name);
  const double k = soil.cohesive_modulus / width + soil.frictional_modulus;
  const double n = soil.sinkage_exponent;
  if (k <= 0 || n >= 3) return 0;
  const double sinkage =
      std::pow(3 * load / (width * k * (3 - n) * std::sqrt(2 * radius)), 1 / (n + 0.5));
  return std::min(sinkage, radius / 2);
}

std::string yaml_text(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' ||
           c == '.';
  };
  const bool words = text == "true" || text == "false" || text == "null" || text == "yes" ||
                     text == "no" || text == "on" || text == "off";
  const bool begins_plain =
      !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 ||
                        text.starts_with("/") || text.starts_with("../"));
  if (begins_plain && !words && std::ranges::all_of(text, is_plain)) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string legal_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, 64)) {
    const bool legal =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    name += legal ? c : '_';
  }
  const bool usable = !name.empty() &&
                      std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                      name != "world" && yaml_text(name).front() != '\'';
  return usable ? name : "rover";
}

RoverScene write_rover_scene(const TreeSurvey& survey, const FoundRover& rover,
                             const std::vector<ProposedMotor>& motors,
                             const std::vector<ProposedSpring>& springs,
                             const RoverSceneOptions& options) {
  return RoverSceneWriter(survey, rover, motors, springs, options).run();
}

}  // namespace grouser::internal
