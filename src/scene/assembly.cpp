#include "scene/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "math/rotation.h"
#include "scene/body_order.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMaxBodies = 5000;

/// Names of the coordinates of joints that have several.
std::vector<std::string_view> coordinate_names(JointType type) {
  if (type == JointType::universal) return {"1", "2"};
  if (type == JointType::planar) return {"x", "y", "angle"};
  return {};
}

JointData base_joint(const ModelData& model) {
  JointData joint;
  joint.parent = {kWorldName, model.base_place};
  joint.type = model.base == BaseType::fixed ? JointType::fixed : JointType::free;
  return joint;
}

/// Reports what a model says about its base that does not fit its tree.
void check_base(const ModelData& model, IssueList& issues) {
  const BodyData* hung = nullptr;  // the body that `base` hangs on the world
  bool has_free_root = false;
  for (const BodyData& body : model.tree.bodies) {
    if (body.joint) {
      has_free_root = has_free_root || body.joint->type == JointType::free;
    } else if (hung != nullptr) {
      issues.add(issue_at(body.name.place,
                          fmt::format("has no joint, and neither has '{}': there must be one root",
                                      hung->name.text)));
    } else {
      hung = &body;
      has_free_root = has_free_root || model.base != BaseType::fixed;
    }
  }
  if (model.base && hung == nullptr) {
    issues.add(issue_at(model.base_place, "the tree hangs on the world by its own joint"));
  }
  if ((model.velocity || model.angular_velocity) && !has_free_root) {
    issues.add(issue_at(model.velocity_place, "needs a free base"));
  }
}

/// Laws of a joint with the overrides of the scene.
std::vector<DofLaw> laws_of(const ModelData& model, const std::string& joint_name,
                            const JointData& joint, IssueList& issues) {
  std::vector<DofLaw> laws = joint.laws;
  for (const JointStart& start : model.joints) {
    if (start.joint.text != joint_name || start.laws.empty()) continue;
    apply_law_changes(start.laws, joint.type, start.joint.place, laws, issues);
  }
  return laws;
}

}  // namespace

void Assembly::add_model(const ModelData& model) {
  check_base(model, issues);
  const std::vector<OrderedBody> ordered = order_bodies(model.tree.bodies, issues);
  if (spec.bodies.size() + ordered.size() > kMaxBodies) {
    issues.add(issue_at(model.name.place, "there are too many bodies",
                        fmt::format("{}", spec.bodies.size() + ordered.size()),
                        fmt::format("<= {}", kMaxBodies)));
    return;
  }
  const int first = static_cast<int>(spec.bodies.size());
  for (const OrderedBody& body : ordered) {
    add_body(model, *body.data, body.parent == kWorld ? kWorld : first + body.parent);
  }
  for (const VisualData& visual : model.tree.world_visuals) {
    visuals.push_back({kWorld, model.X_WT * visual.X_BS, visual.shape, visual.color});
    looks.push_back(visuals.back());
  }
  for (const JointStart& start : model.joints) start_joint(start, model.name.text);
}

void Assembly::add_body(const ModelData& model, const BodyData& data, int parent) {
  const std::string& scope = model.name.text;
  const int index = static_cast<int>(spec.bodies.size());
  BodySpec body;
  body.name = bodies.add(scope, data.name, issues);
  body.inertia = data.inertia;
  body.parent = parent;
  places.emplace(fmt::format("body '{}'", body.name), data.name.place);

  const JointData joint = data.joint.value_or(base_joint(model));
  PlacedName joint_name = joint.name;
  if (joint_name.text.empty()) joint_name = data.name;
  body.joint = {.name = joints.add(scope, joint_name, issues),
                .type = joint.type,
                .X_PF = parent == kWorld ? model.X_WT * joint.X_PF : joint.X_PF,
                .axis = joint.axis,
                .axis2 = joint.axis2,
                .laws = laws_of(model, joint_name.text, joint, issues)};
  const Slot slot{static_cast<int>(q.size()), static_cast<int>(v.size())};
  slots_.push_back(slot);
  for (int k = 0; k < velocity_count(joint.type); ++k) {
    coordinates.push_back(
        {index, slot.v + k, slot.q + k, is_angle(joint.type, k), joint.effort_limit});
  }

  const auto nq = static_cast<std::size_t>(position_count(joint.type));
  const auto nv = static_cast<std::size_t>(velocity_count(joint.type));
  std::vector<double> start(nq, 0.0), rate(nv, 0.0);
  if (quaternion_offset(joint.type) >= 0) start[0] = 1;
  if (joint.type == JointType::free) {
    // A free joint's frame is the world's: its pose is its position.
    const Pose X_WM = body.joint.X_PF;
    body.joint.X_PF = Pose{};
    wxyz_from_rotation(X_WM.R, start.data());
    const Vec3 angular = model.angular_velocity.value_or(Vec3::Zero());
    const Vec3 linear = model.velocity.value_or(Vec3::Zero());
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      start[4 + k] = X_WM.p[i];
      rate[k] = angular[i];
      rate[3 + k] = linear[i];
    }
  } else if (has_plain_coordinates(joint.type)) {
    // Zero, or the stop nearest to it.
    for (std::size_t k = 0; k < body.joint.laws.size(); ++k) {
      const DofLaw& law = body.joint.laws[k];
      if (law.lower < law.upper) start[k] = std::clamp(0.0, law.lower, law.upper);
    }
  }
  q.insert(q.end(), start.begin(), start.end());
  v.insert(v.end(), rate.begin(), rate.end());
  q_given.resize(q.size(), 0);
  for (const VisualData& visual : data.visuals) {
    visuals.push_back({index, visual.X_BS, visual.shape, visual.color});
  }
  for (const VisualData& look : data.looks.empty() ? data.visuals : data.looks) {
    looks.push_back({index, look.X_BS, look.shape, look.color});
  }
  spec.bodies.push_back(std::move(body));
}

void Assembly::start_joint(const JointStart& start, const std::string& scope) {
  const auto body = joints.resolve(start.joint, scope, issues);
  if (!body) return;
  if (!start.position.empty()) start_position(start, *body);
  if (!start.velocity.empty()) start_velocity(start, *body);
}

void Assembly::start_position(const JointStart& start, int body) {
  const JointSpec& joint = spec.bodies[static_cast<std::size_t>(body)].joint;
  const Slot& slot = slots_[static_cast<std::size_t>(body)];
  const auto refuse = [&](std::string why, std::string value = {}, std::string legal = {}) {
    issues.add(issue_at(start.position_place, std::move(why), std::move(value), std::move(legal)));
  };
  const std::size_t wanted =
      start.is_rpy ? 3 : static_cast<std::size_t>(position_count(joint.type));
  if (joint.type == JointType::free) return refuse("a free joint starts where its model is placed");
  if (wanted == 0) return refuse("a fixed joint has no position");
  if (start.is_rpy != (joint.type == JointType::spherical)) {
    return refuse(start.is_rpy ? "only a spherical joint has roll, pitch and yaw"
                               : "a spherical joint needs rpy_deg");
  }
  if (start.position.size() != wanted) {
    return refuse(fmt::format("must be {} number{}", wanted, wanted == 1 ? "" : "s"),
                  fmt::format("{}", start.position.size()));
  }
  double* target = q.data() + slot.q;
  std::fill_n(q_given.begin() + slot.q, position_count(joint.type), char{1});
  if (start.is_rpy) {
    const Vec3 rpy(start.position[0], start.position[1], start.position[2]);
    wxyz_from_rotation(rotation_from_rpy(rpy), target);
    return;
  }
  for (std::size_t k = 0; k < wanted; ++k) {
    const double value = start.position[k];
    if (start.in_degrees && !is_angle(joint.type, static_cast<int>(k))) {
      return refuse("slides: give metres, not degrees");
    }
    if (k < joint.laws.size() && (value < joint.laws[k].lower || value > joint.laws[k].upper)) {
      return refuse("lies beyond a stop of the joint", format_number(value),
                    fmt::format("{} .. {}", format_number(joint.laws[k].lower),
                                format_number(joint.laws[k].upper)));
    }
    target[k] = value;
  }
}

void Assembly::start_velocity(const JointStart& start, int body) {
  const JointType type = spec.bodies[static_cast<std::size_t>(body)].joint.type;
  const auto wanted = static_cast<std::size_t>(velocity_count(type));
  std::string why;
  if (type == JointType::free) {
    why = "give velocity and angular_velocity of the model instead";
  } else if (wanted == 0) {
    why = "a fixed joint has no velocity";
  } else if (start.velocity.size() != wanted) {
    why = fmt::format("must be {} number{}", wanted, wanted == 1 ? "" : "s");
  }
  if (!why.empty()) {
    issues.add(issue_at(start.velocity_place, std::move(why)));
    return;
  }
  std::ranges::copy(start.velocity, v.begin() + slots_[static_cast<std::size_t>(body)].v);
}

std::optional<int> Assembly::resolve_body(const PlacedName& name, const std::string& scope) const {
  if (name.text == kWorldName) return kWorld;
  return bodies.resolve(name, scope, issues);
}

std::optional<Coordinate> Assembly::resolve_coordinate(const PlacedName& name,
                                                       const std::string& scope) const {
  std::optional<int> body = joints.find(name.text, scope);
  std::string suffix;
  const std::size_t dot = name.text.rfind('.');
  if (!body && dot != std::string::npos) {
    body = joints.find(name.text.substr(0, dot), scope);
    suffix = name.text.substr(dot + 1);
  }
  if (!body) body = joints.resolve(name, scope, issues);
  if (!body) return std::nullopt;

  const JointType type = spec.bodies[static_cast<std::size_t>(*body)].joint.type;
  const std::vector<std::string_view> names = coordinate_names(type);
  int k = 0;
  if (!names.empty()) {
    const auto found = std::ranges::find(names, suffix);
    if (found == names.end()) {
      const std::string joint = name.text.substr(0, suffix.empty() ? name.text.size() : dot);
      issues.add(issue_at(name.place, "the joint has several coordinates: name one of them",
                          name.text, fmt::format("{}.{} ...", joint, names[0])));
      return std::nullopt;
    }
    k = static_cast<int>(found - names.begin());
  } else if (!suffix.empty() || velocity_count(type) != 1) {
    issues.add(issue_at(
        name.place, fmt::format("a {} joint has no such coordinate", to_string(type)), name.text));
    return std::nullopt;
  }
  const int dof = slots_[static_cast<std::size_t>(*body)].v + k;
  return coordinates[static_cast<std::size_t>(dof)];
}

double Assembly::axis_along(int dof, int body, const Vec3& direction_B) const {
  const auto rotation = [&](int at) {
    Mat3 R = Mat3::Identity();
    for (; at != kWorld; at = spec.bodies[static_cast<std::size_t>(at)].parent) {
      R = spec.bodies[static_cast<std::size_t>(at)].joint.X_PF.R * R;
    }
    return R;
  };
  const int carried = coordinates[static_cast<std::size_t>(dof)].body;
  const Vec3& axis_F = spec.bodies[static_cast<std::size_t>(carried)].joint.axis;
  return (rotation(carried) * axis_F).dot(rotation(body) * direction_B);
}

Place Assembly::place_of(const std::string& subject) const {
  const auto found = places.find(subject);
  return found == places.end() ? Place{} : found->second;
}

std::optional<Pose> fixed_pose(const Assembly& assembly, int body) {
  Pose X_WB;
  for (; body != kWorld; body = assembly.spec.bodies[static_cast<std::size_t>(body)].parent) {
    const BodySpec& spec = assembly.spec.bodies[static_cast<std::size_t>(body)];
    if (spec.joint.type != JointType::fixed) return std::nullopt;
    X_WB = spec.joint.X_PF * X_WB;
  }
  return X_WB;
}

Pose wheel_frame(const Assembly& assembly, const Wheel& wheel) {
  const auto along = [&](const Vec3& axis) {
    return assembly.axis_along(wheel.drive_dof, wheel.body, axis);
  };
  const Vec3 axle(along(Vec3::UnitX()), along(Vec3::UnitY()), along(Vec3::UnitZ()));
  return {Quat::FromTwoVectors(Vec3::UnitY(), axle).toRotationMatrix(), wheel.p_B};
}

}  // namespace grouser::internal
