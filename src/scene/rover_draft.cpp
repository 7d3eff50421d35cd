#include "scene/rover_draft.h"

#include <fmt/format.h>

#include <set>

#include "core/text.h"
#include "scene/gravity.h"
#include "scene/inertia_repair.h"
#include "scene/text_file.h"
#include "scene/urdf_reader.h"
#include "terrain/soil.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForwardLink = "grouser_forward";

/// The joints that transmissions and ros2_control give a motor.
void add_motor_joints(const XmlElement& element, bool within, std::set<std::string>& joints) {
  for (const XmlElement& child : element.children) {
    if (within && child.name == "joint") {
      // ros2_control lists joints that are only measured, too.
      const bool measured_only =
          element.name == "ros2_control" && child.child("command_interface") == nullptr;
      if (!measured_only) joints.insert(child.text("name"));
    }
    const bool motors = within || child.name == "transmission" || child.name == "ros2_control";
    add_motor_joints(child, motors, joints);
  }
}

/// Mesh names that still hold when the file stands elsewhere.
void resolve_meshes(XmlElement& element, PackageFinder& packages) {
  if (element.name == "mesh") {
    const std::string found = packages.find_file(element.text("filename"));
    if (!found.empty()) element.set("filename", "file://" + fs::absolute(found).string());
  }
  for (XmlElement& child : element.children) resolve_meshes(child, packages);
}

/// A link without mass on the chassis, whose x points forward.
void add_forward_link(const std::string& chassis, double yaw, XmlElement& robot) {
  XmlElement link{.name = "link", .file = robot.file, .line = robot.line};
  link.set("name", kForwardLink);
  XmlElement joint{.name = "joint", .file = robot.file, .line = robot.line};
  joint.set("name", std::string(kForwardLink) + "_joint");
  joint.set("type", "fixed");
  joint.make_child("parent").set("link", chassis);
  joint.make_child("child").set("link", kForwardLink);
  joint.make_child("origin").set("rpy", "0 0 " + format_number(yaw));
  robot.children.push_back(std::move(link));
  robot.children.push_back(std::move(joint));
}

/// The file as seen from the scene's folder; its whole path if they have nothing in common.
std::string path_from(const fs::path& scene, const fs::path& file) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(scene, ignored).lexically_normal().parent_path();
  const fs::path target = fs::absolute(file, ignored).lexically_normal();
  const fs::path here = folder.relative_path(), there = target.relative_path();
  const bool related = !here.empty() && *here.begin() == *there.begin();
  return related ? target.lexically_relative(folder).string() : target.string();
}

class RoverDrafter {
 public:
  RoverDrafter(const fs::path& file, const RoverDraftOptions& options)
      : file_(file), options_(options), packages_(file.parent_path()) {}

  RoverDraft run() {
    check_options();
    read_file();
    tree_ = read_tree({.check_inertias = false});
    mend_inertias();
    check_base();
    TreeSurvey survey = survey_tree();
    std::set<std::string> motors;
    add_motor_joints(robot_.root, false, motors);
    auto rover = find_rover_in(tree_, survey, motors, robot_.root.place(), issues_);
    issues_.throw_if_any();
    if (rover->chassis_yaw != 0) {
      turn_forward(survey, *rover);
      survey = survey_tree();
      const double yaw = rover->chassis_yaw;
      const std::vector<std::string> notes = rover->notes;
      rover = find_rover_in(tree_, survey, motors, robot_.root.place(), issues_);
      issues_.throw_if_any();
      rover->notes = notes;
      rover->notes.push_back(fmt::format("a link '{}' turned by {:.3g} rad stands for the chassis",
                                         kForwardLink, yaw));
    }
    write(survey, *rover);
    return std::move(draft_);
  }

 private:
  void check_options() {
    find_soil(options_.soil);
    if (find_gravity(options_.gravity)) return;
    std::vector<std::string_view> names;
    for (const GravityField& field : gravity_fields()) names.push_back(field.name);
    add_unknown_word({{}, 0, "--gravity"}, options_.gravity, "unknown place", names, issues_);
    issues_.throw_if_any();
  }

  void read_file() {
    const auto text = read_text_file(file_, {}, issues_);
    issues_.throw_if_any();
    auto robot = read_robot(*text, file_.string(), options_.arguments, packages_, issues_);
    issues_.throw_if_any();
    robot_ = *std::move(robot);
    draft_.robot = robot_.root.text("name");
  }

  TreeData read_tree(const UrdfOptions& options) {
    TreeData tree = read_urdf(robot_.root, packages_, options, issues_);
    issues_.throw_if_any();
    return tree;
  }

  TreeSurvey survey_tree() {
    TreeSurvey survey(tree_, issues_);
    issues_.throw_if_any();
    return survey;
  }

  void mend_inertias() {
    const TreeSurvey survey = survey_tree();
    if (survey.mass() <= 0) {
      issues_.add(issue_at(robot_.root.place(), "no link has a mass: nothing would move"));
      issues_.throw_if_any();
    }
    for (const InertiaFinding& finding : find_inertia_defects(tree_, survey)) {
      if (options_.fix) {
        apply_inertia(finding, robot_.root);
        draft_.changes.push_back(fmt::format("{}: {} ({}); now {}", finding.place.field,
                                             finding.problem, finding.value, finding.change));
      } else if (finding.is_fatal) {
        issues_.add(issue_at(finding.place, finding.problem, finding.value,
                             "with --fix it becomes " + finding.change));
      } else {
        draft_.warnings.push_back(issue_at(finding.place, finding.problem, finding.value,
                                           "--fix makes it " + finding.change));
      }
    }
    issues_.throw_if_any();
    if (!draft_.changes.empty()) tree_ = read_tree({});
  }

  void check_base() {
    for (const BodyData& body : tree_.bodies) {
      if (!body.joint || body.joint->parent.text != kWorldName) continue;
      if (body.joint->type == JointType::free) continue;
      issues_.add(issue_at(body.joint->name.place,
                           "ties the robot to the link 'world': it could not drive",
                           to_string(body.joint->type), "a root link that is not called 'world'"));
    }
    issues_.throw_if_any();
  }

  void turn_forward(const TreeSurvey& survey, const FoundRover& rover) {
    const Mat3& R = survey.body(rover.chassis).X_RB.R;
    const double turned = std::atan2(R(1, 0), R(0, 0));
    add_forward_link(survey.body(rover.chassis).data->name.text, rover.chassis_yaw - turned,
                     robot_.root);
    tree_ = read_tree({});
    is_changed_ = true;
  }

  /// The robot's own file if it holds all that the scene needs, else one beside the scene.
  void choose_urdf() {
    is_changed_ = is_changed_ || !draft_.changes.empty() || !options_.arguments.empty();
    draft_.urdf_file = file_;
    if (!is_changed_) return;
    draft_.urdf_file = options_.scene;
    draft_.urdf_file.replace_extension(".urdf");
    std::error_code ignored;
    if (fs::equivalent(draft_.urdf_file, file_, ignored)) {
      issues_.add(issue_at(
          {file_.string(), 0, {}},
          "would be overwritten by the changed robot: give the scene another name or folder "
          "with -o"));
      issues_.throw_if_any();
    }
    resolve_meshes(robot_.root, packages_);
    std::string comment = fmt::format("Made from {} by grouser urdf.\n", file_.string());
    for (const std::string& change : draft_.changes) comment += change + "\n";
    draft_.urdf = xml_text(robot_.root, comment);
  }

  void write(const TreeSurvey& survey, const FoundRover& rover) {
    choose_urdf();
    draft_.speed = options_.speed.value_or(proposed_speed(rover));
    const DriveTask task{.speed = draft_.speed, .gravity = *find_gravity(options_.gravity)};
    draft_.motors = propose_motors(survey, rover, task);
    const RoverSceneOptions options{
        .made_from = file_.filename().string(),
        .urdf = path_from(options_.scene, draft_.urdf_file),
        .name = legal_name(options_.name.empty() ? draft_.robot : options_.name),
        .ground = options_.ground,
        .gravity = options_.gravity,
        .soil = options_.soil,
        .speed = draft_.speed};
    draft_.scene = write_rover_scene(survey, rover, draft_.motors,
                                     propose_springs(survey, rover, task), options);
    describe(survey, rover);
  }

  void describe(const TreeSurvey& survey, const FoundRover& rover) {
    const auto name = [&](int body) { return survey.body(body).data->name.text; };
    const auto joint = [&](int body) { return survey.joint(body)->name.text; };
    draft_.mass = survey.mass();
    draft_.chassis = name(rover.chassis);
    draft_.notes = rover.notes;
    for (const FoundWheel& wheel : rover.wheels) {
      draft_.wheels.push_back({.link = name(wheel.body),
                               .drive = joint(wheel.body),
                               .steer = wheel.steer >= 0 ? joint(wheel.steer) : std::string(),
                               .radius = wheel.radius,
                               .width = wheel.width,
                               .centre = survey.body(wheel.body).X_RB * wheel.p_B,
                               .offset = wheel.p_B.norm(),
                               .driven = wheel.driven});
    }
    for (const FoundSupport& support : rover.supports)
      draft_.supports.push_back(name(support.body));
    for (const int body : rover.passive) draft_.free_joints.push_back(joint(body));
    for (const int body : rover.held) draft_.held_joints.push_back(joint(body));
    draft_.warnings.insert(draft_.warnings.end(), robot_.warnings.begin(), robot_.warnings.end());
    draft_.warnings.insert(draft_.warnings.end(), tree_.warnings.begin(), tree_.warnings.end());
  }

  fs::path file_;
  const RoverDraftOptions& options_;
  PackageFinder packages_;
  IssueList issues_;
  RobotFile robot_;
  TreeData tree_;
  RoverDraft draft_;
  bool is_changed_ = false;  ///< the robot differs from what its file says
};

}  // namespace

RoverDraft draft_rover(const std::filesystem::path& file, const RoverDraftOptions& options) {
  return RoverDrafter(file, options).run();
}

}  // namespace grouser::internal
