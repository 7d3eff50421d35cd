#include "scene/urdf_reader.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Geometry>
#include <mutex>
#include <set>

#include "math/rotation.h"
#include "scene/body_checks.h"
#include "scene/urdf_document.h"

namespace grouser::internal {
namespace {

/// Keeps what urdfdom says to the console. The console is global: one reader at a time.
class ConsoleCapture : public console_bridge::OutputHandler {
 public:
  ConsoleCapture() : lock_(mutex()) { console_bridge::useOutputHandler(this); }
  ~ConsoleCapture() override { console_bridge::restorePreviousOutputHandler(); }
  ConsoleCapture(const ConsoleCapture&) = delete;
  ConsoleCapture& operator=(const ConsoleCapture&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char* /*file*/,
           int /*line*/) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors.push_back(text);
  }

  std::vector<std::string> errors;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
};

urdf::ModelInterfaceSharedPtr parse(const std::string& text, const std::string& file,
                                    IssueList& issues) {
  ConsoleCapture console;
  urdf::ModelInterfaceSharedPtr robot;
  try {
    robot = urdf::parseURDF(text);
  } catch (const std::exception& error) {
    console.errors.emplace_back(error.what());
  }
  if (robot == nullptr && console.errors.empty()) console.errors.emplace_back("not a URDF");
  for (const std::string& message : console.errors) {
    issues.add(issue_at({file, 0, {}}, "urdfdom: " + message));
  }
  return robot;
}

Vec3 to_vec3(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Pose to_pose(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return {Quat(r.w, r.x, r.y, r.z).normalized().toRotationMatrix(), to_vec3(pose.position)};
}

JointType to_joint_type(int urdf_type) {
  switch (urdf_type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return JointType::revolute;
    case urdf::Joint::PRISMATIC:
      return JointType::prismatic;
    case urdf::Joint::PLANAR:
      return JointType::planar;
    case urdf::Joint::FLOATING:
      return JointType::free;
    default:
      return JointType::fixed;
  }
}

class UrdfConverter {
 public:
  UrdfConverter(const urdf::ModelInterface& robot, const UrdfIndex& index, std::string file,
                PackageFinder& packages, const UrdfOptions& options, IssueList& issues)
      : robot_(robot),
        index_(index),
        file_(std::move(file)),
        packages_(packages),
        options_(options),
        issues_(issues) {}

  TreeData convert() {
    TreeData& tree = tree_;
    const urdf::LinkConstSharedPtr root = robot_.getRoot();
    for (const std::string& name : index_.links) {
      const urdf::LinkConstSharedPtr link = robot_.getLink(name);
      if (name == kWorldName && link == root) {
        tree.world_visuals = visuals(*link);
        continue;
      }
      tree.bodies.push_back(body(*link));
      if (const auto& joint = link->parent_joint; joint && joint->mimic) {
        if (auto loop = mimic(*joint)) tree.elements.loops.push_back(*std::move(loop));
      }
    }
    if (tree.bodies.empty()) {
      issues_.add(issue_at({file_, 1, "robot"}, "has no link besides the world"));
    }
    warn_of_missing_meshes();
    return std::move(tree);
  }

 private:
  const Place& link_place(const std::string& name) const { return index_.link_places.at(name); }
  const Place& joint_place(const std::string& name) const { return index_.joint_places.at(name); }

  /// The plane of a planar joint is across its axis; ours is across z. The body then gets a frame
  /// that is turned against the link's.
  static Mat3 body_in_link(const urdf::Link& link) {
    const auto& joint = link.parent_joint;
    if (!joint || joint->type != urdf::Joint::PLANAR) return Mat3::Identity();
    const Vec3 axis = to_vec3(joint->axis).normalized();
    return axis == Vec3::UnitZ() ? Mat3::Identity() : frame_with_z(axis);
  }

  BodyData body(const urdf::Link& link) {
    BodyData body;
    body.name = {link.name, link_place(link.name)};
    const Pose X_BL{body_in_link(link).transpose(), Vec3::Zero()};
    body.visuals = visuals(link);
    body.collisions = collisions(link);
    if (!body.collisions.empty()) {
      // Contacts know the collision shapes; the visuals are only drawn.
      body.looks = std::move(body.visuals);
      body.visuals = body.collisions;
    }
    for (VisualData& look : body.looks) look.X_BS = X_BL * look.X_BS;
    for (VisualData& visual : body.visuals) visual.X_BS = X_BL * visual.X_BS;
    for (VisualData& collision : body.collisions) collision.X_BS = X_BL * collision.X_BS;
    if (link.inertial) {
      const urdf::Inertial& given = *link.inertial;
      RigidInertia inertia{.mass = given.mass};
      inertia.about_com << given.ixx, given.ixy, given.ixz,  //
          given.ixy, given.iyy, given.iyz,                   //
          given.ixz, given.iyz, given.izz;
      const bool is_nothing = inertia.mass == 0 && inertia.about_com.isZero(0);
      if (!is_nothing) body.inertia = transformed(X_BL * to_pose(given.origin), inertia);
      if (options_.check_inertias) {
        check_inertia(body.inertia, body.visuals, false, index_.inertial_places.at(link.name),
                      issues_);
      }
    }
    if (link.parent_joint) body.joint = joint(*link.parent_joint);
    return body;
  }

  JointData joint(const urdf::Joint& given) {
    JointData joint;
    const Place& place = joint_place(given.name);
    joint.name = {given.name, place};
    joint.parent = {given.parent_link_name, place};
    joint.type = to_joint_type(given.type);
    const urdf::Link& parent = *robot_.getLink(given.parent_link_name);
    const Mat3 R_LB = body_in_link(*robot_.getLink(given.child_link_name));
    joint.X_PF = Pose{body_in_link(parent).transpose(), Vec3::Zero()} *
                 to_pose(given.parent_to_joint_origin_transform) * Pose{R_LB, Vec3::Zero()};
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic) {
      joint.axis = to_vec3(given.axis).normalized();
    }
    if (joint.type == JointType::free && parent.name != kWorldName) {
      issues_.add(
          issue_at(place, "a floating joint is only possible on the link 'world'", parent.name));
    }
    if (joint.type != JointType::fixed && joint.type != JointType::free) {
      joint.laws.assign(static_cast<std::size_t>(velocity_count(joint.type)), law(given));
    }
    if (given.limits && given.limits->effort > 0) joint.effort_limit = given.limits->effort;
    return joint;
  }

  static DofLaw law(const urdf::Joint& given) {
    DofLaw law;
    if (given.dynamics) {
      law.damping = given.dynamics->damping;
      law.friction = given.dynamics->friction;
    }
    const bool has_stops =
        given.type == urdf::Joint::REVOLUTE || given.type == urdf::Joint::PRISMATIC;
    if (has_stops && given.limits) {
      law.lower = given.limits->lower;
      law.upper = given.limits->upper;
    }
    return law;
  }

  std::optional<LoopData> mimic(const urdf::Joint& joint) {
    const Place& place = joint_place(joint.name);
    const urdf::JointMimic& given = *joint.mimic;
    const auto refuse = [&](std::string why) {
      issues_.add(issue_at(place, std::move(why), given.joint_name));
      return std::nullopt;
    };
    const urdf::JointConstSharedPtr other = robot_.getJoint(given.joint_name);
    if (!other) return refuse("mimics an unknown joint");
    if (other->name == joint.name) return refuse("mimics itself");
    if (given.multiplier == 0) return refuse("the multiplier of mimic must not be zero");
    for (const urdf::Joint* end : {&joint, other.get()}) {
      const JointType type = to_joint_type(end->type);
      if (type == JointType::fixed) {
        tree_.warnings.push_back(
            issue_at(place, fmt::format("its mimic of '{}' is left out: the joint '{}' is fixed",
                                        given.joint_name, end->name)));
        return std::nullopt;
      }
      if (type != JointType::revolute && type != JointType::prismatic) {
        return refuse(fmt::format("mimic needs revolute or prismatic joints, and '{}' is {}",
                                  end->name, to_string(type)));
      }
    }
    std::set<std::string> passed{joint.name};
    for (auto next = other; next && next->mimic; next = robot_.getJoint(next->mimic->joint_name)) {
      if (!passed.insert(next->name).second) return refuse("mimics in a circle");
    }
    CouplingData coupling;
    coupling.terms = {{{joint.name, place}, 1}, {{given.joint_name, place}, -given.multiplier}};
    coupling.offset = given.offset;
    return LoopData{{joint.name + "_mimic", place}, coupling};
  }

  std::vector<VisualData> visuals(const urdf::Link& link) {
    std::vector<VisualData> result;
    for (const urdf::VisualSharedPtr& visual : link.visual_array) {
      if (!visual || !visual->geometry) continue;
      VisualData data;
      data.X_BS = to_pose(visual->origin);
      if (visual->material) {
        const urdf::Color& color = visual->material->color;
        const Vec3 rgb(color.r, color.g, color.b);
        data.color = rgb.cwiseMax(0).cwiseMin(1);
      }
      auto found = shape(*visual->geometry);
      if (!found) {
        note_missing(*visual->geometry, link.name);
        continue;
      }
      data.shape = *std::move(found);
      result.push_back(std::move(data));
    }
    return result;
  }

  /// Those whose meshes are there.
  std::vector<VisualData> collisions(const urdf::Link& link) {
    std::vector<VisualData> result;
    for (const urdf::CollisionSharedPtr& collision : link.collision_array) {
      if (!collision || !collision->geometry) continue;
      if (auto found = shape(*collision->geometry)) {
        result.push_back({.X_BS = to_pose(collision->origin), .shape = *std::move(found)});
      } else {
        note_missing(*collision->geometry, link.name);
        lacks_collisions_ = true;
      }
    }
    return result;
  }

  void note_missing(const urdf::Geometry& geometry, const std::string& link_name) {
    const std::string& name = dynamic_cast<const urdf::Mesh&>(geometry).filename;
    if (std::ranges::find(missing_, name) != missing_.end()) return;
    if (missing_.empty()) first_missing_ = link_place(link_name);
    missing_.push_back(name);
  }

  void warn_of_missing_meshes() {
    if (missing_.empty()) return;
    const std::size_t shown = std::min<std::size_t>(missing_.size(), 4);
    const std::vector<std::string> first(missing_.begin(),
                                         missing_.begin() + static_cast<std::ptrdiff_t>(shown));
    tree_.warnings.push_back(issue_at(
        first_missing_,
        fmt::format("mesh files are missing: {}{}; {} (looked in {})", fmt::join(first, ", "),
                    missing_.size() > shown
                        ? fmt::format(" and {} more like this", missing_.size() - shown)
                        : std::string(),
                    lacks_collisions_ ? "such parts are not drawn and do not feel the ground"
                                      : "only pictures lack them",
                    packages_.searched())));
  }

  /// Nothing if its mesh file is missing.
  std::optional<Shape> shape(const urdf::Geometry& geometry) {
    if (const auto* box = dynamic_cast<const urdf::Box*>(&geometry)) {
      return BoxShape{to_vec3(box->dim)};
    }
    if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&geometry)) {
      return SphereShape{sphere->radius};
    }
    if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(&geometry)) {
      return CylinderShape{cylinder->radius, cylinder->length};
    }
    const auto& mesh = dynamic_cast<const urdf::Mesh&>(geometry);
    const std::string found = packages_.find_file(mesh.filename);
    if (found.empty()) return std::nullopt;
    return MeshShape{found, to_vec3(mesh.scale)};
  }

  const urdf::ModelInterface& robot_;
  const UrdfIndex& index_;
  std::string file_;
  PackageFinder& packages_;
  UrdfOptions options_;
  IssueList& issues_;
  TreeData tree_;
  bool lacks_collisions_ = false;     ///< a mesh of a collision shape is missing
  std::vector<std::string> missing_;  ///< mesh files
  Place first_missing_;
};

}  // namespace

std::optional<RobotFile> read_robot(const std::string& text, const std::string& file,
                                    const XacroArguments& arguments, PackageFinder& packages,
                                    IssueList& issues) {
  const std::size_t issues_before = issues.issues().size();
  auto root = read_xml(text, file, issues);
  if (!root) return std::nullopt;
  if (root->name == "sdf") {
    issues.add(issue_at(root->place(),
                        "is SDF, which is not read: give the URDF or xacro it was made from, or "
                        "convert it to URDF"));
    return std::nullopt;
  }
  RobotFile robot;
  if (file.ends_with(".xacro") || is_xacro(*root)) {
    robot.root = expand_xacro(*root, arguments, packages, robot.warnings, issues);
  } else {
    if (!arguments.empty()) {
      issues.add(issue_at(root->place(), "is not xacro and takes no arguments",
                          arguments.begin()->first + ":=" + arguments.begin()->second));
    }
    robot.root = *std::move(root);
  }
  if (issues.issues().size() > issues_before) return std::nullopt;
  return robot;
}

TreeData read_urdf(const XmlElement& robot, PackageFinder& packages, const UrdfOptions& options,
                   IssueList& issues) {
  const std::size_t issues_before = issues.issues().size();
  const UrdfIndex index = check_urdf(robot, issues);
  if (issues.issues().size() > issues_before) return {};
  const urdf::ModelInterfaceSharedPtr model = parse(xml_text(robot), *robot.file, issues);
  if (issues.issues().size() > issues_before) return {};
  return UrdfConverter(*model, index, *robot.file, packages, options, issues).convert();
}

TreeData read_urdf(const std::string& text, const std::string& file,
                   const std::filesystem::path& folder, IssueList& issues) {
  PackageFinder packages(folder);
  const auto robot = read_robot(text, file, {}, packages, issues);
  if (!robot) return {};
  TreeData tree = read_urdf(robot->root, packages, {}, issues);
  tree.warnings.insert(tree.warnings.begin(), robot->warnings.begin(), robot->warnings.end());
  return tree;
}

}  // namespace grouser::internal
