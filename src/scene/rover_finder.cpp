#include "scene/rover_finder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/angle.h"
#include "scene/round_shape.h"

namespace grouser::internal {
namespace {

constexpr double kLevel = 0.5;       // sine of an axle's largest slope: 30 degrees
constexpr double kUpright = 0.8;     // cosine of a steering axis' largest tilt: 37 degrees
constexpr double kSameHeight = 0.5;  // of the largest radius, by which wheels may differ in height
constexpr double kSupportHeight = 0.25;  // of a wheel's radius, by which supports may differ
constexpr double kStraight = 0.94;       // cosine of 20 degrees: axles that still point aside

struct Candidate {
  int body = 0;
  RoundShape shape;
  double lowest = 0;  // [m]
};

class RoverFinder {
 public:
  RoverFinder(const TreeData& tree, const TreeSurvey& survey, const std::set<std::string>& motors)
      : tree_(tree), survey_(survey), motors_(motors) {}

  std::optional<FoundRover> run(const Place& place, IssueList& issues) {
    find_candidates();
    drop_high_candidates();
    if (candidates_.empty()) {
      issues.add(issue_at(
          place,
          "no wheels found: none of its joints turns without end about a level axis and carries a "
          "round collision shape",
          why_not_.empty() ? "no such joints" : fmt::format("{}", fmt::join(why_not_, "; ")),
          "continuous joints whose links have a cylinder, a sphere or a round mesh"));
      return std::nullopt;
    }
    for (const Candidate& candidate : candidates_) add_wheel(candidate);
    note_shapes();
    look_at_motors();
    find_forward();
    find_supports();
    for (FoundWheel& wheel : rover_.wheels) look_above(wheel);
    find_held();
    find_differential();
    return std::move(rover_);
  }

 private:
  const std::string& name(int body) const { return survey_.body(body).data->name.text; }
  const std::string& joint_name(int body) const { return survey_.joint(body)->name.text; }
  void note(std::string text) { rover_.notes.push_back(std::move(text)); }

  void find_candidates() {
    for (std::size_t i = 0; i < survey_.bodies().size(); ++i) {
      const int body = static_cast<int>(i);
      if (!survey_.turns_freely(body)) continue;
      const double slope = std::abs(survey_.axis(body).z());
      std::string why;
      const auto shape = rolling_shape(survey_, body, why);
      if (slope > kLevel) {
        why = "turns about an upright axis";
      } else if (shape) {
        const double centre =
            (survey_.body(body).X_RB * Vec3(shape->middle() * survey_.joint(body)->axis)).z();
        const double drop =
            shape->radius * std::sqrt(1 - slope * slope) + shape->width() / 2 * slope;
        candidates_.push_back({body, *shape, centre - drop});
        continue;
      }
      why_not_.push_back(fmt::format("'{}' {}", name(body), why));
    }
  }

  /// What turns above the ground is no wheel.
  void drop_high_candidates() {
    if (candidates_.empty()) return;
    const double lowest = std::ranges::min(candidates_, {}, &Candidate::lowest).lowest;
    double radius = 0;
    for (const Candidate& candidate : candidates_)
      radius = std::max(radius, candidate.shape.radius);
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      if (candidate.lowest <= lowest + kSameHeight * radius) return false;
      note(fmt::format(
          "'{}' turns and is round, but ends {:.3g} m above the wheels' lowest point: not "
          "taken as a wheel",
          name(candidate.body), candidate.lowest - lowest));
      return true;
    });
    rover_.lowest = lowest;
  }

  void add_wheel(const Candidate& candidate) {
    const RoundShape& shape = candidate.shape;
    const Vec3& axis = survey_.joint(candidate.body)->axis;
    rover_.wheels.push_back({.body = candidate.body,
                             .p_B = shape.middle() * axis,
                             .radius = shape.radius,
                             .width = shape.width()});
    const std::string& link = name(candidate.body);
    if (shape.is_crooked) crooked_.push_back(link);
    if (shape.is_mesh) meshes_.push_back(link);
    if (shape.is_sphere) spheres_.push_back(link);
  }

  /// What was taken for granted of the wheels' shapes.
  void note_shapes() {
    const auto tell = [&](const std::vector<std::string>& links, const char* what) {
      if (!links.empty()) note(fmt::format("{}: {}", fmt::join(links, ", "), what));
    };
    tell(
        crooked_,
        "the cylinder does not lie along the axis that the wheel turns about; it is taken as if it "
        "did (turn it by the rpy of its origin)");
    tell(meshes_, "radius and width are those of the mesh's outline");
    tell(spheres_, "the width of a sphere is taken as its radius");
  }

  /// If the file says which joints have motors, wheels that have none only roll.
  void look_at_motors() {
    const auto has_motor = [&](const FoundWheel& wheel) {
      return motors_.contains(joint_name(wheel.body));
    };
    const bool is_told = std::ranges::any_of(rover_.wheels, has_motor);
    std::vector<std::string> rolling;
    for (FoundWheel& wheel : rover_.wheels) {
      const bool follows = is_follower(wheel.body);
      wheel.driven = !follows && (!is_told || has_motor(wheel));
      if (!wheel.driven && !follows) rolling.push_back(name(wheel.body));
    }
    if (rolling.empty()) return;
    note(fmt::format("{}: the file's transmissions give no motor, so that it only rolls",
                     fmt::join(rolling, ", ")));
  }

  /// Balls and skids that stand beside two or three wheels.
  void find_supports() {
    if (rover_.wheels.size() > 3) return;
    const double wheels = rover_.lowest, radius = rover_.wheels.front().radius;
    for (std::size_t i = 0; i < survey_.bodies().size(); ++i) {
      const SurveyedBody& body = survey_.body(static_cast<int>(i));
      const bool is_wheel = std::ranges::any_of(
          rover_.wheels, [&](const FoundWheel& wheel) { return wheel.body == body.group; });
      if (is_wheel) continue;
      for (const VisualData& shape : body.data->collisions) {
        const auto bottom = lowest_point(shape, body.X_RB * shape.X_BS);
        if (!bottom || std::abs(*bottom - wheels) > kSupportHeight * radius) continue;
        rover_.supports.push_back({static_cast<int>(i), shape});
        rover_.lowest = std::min(rover_.lowest, *bottom);
        note(fmt::format("'{}' reaches as low as the wheels: it slides with them on the ground",
                         body.data->name.text));
        break;
      }
    }
  }

  /// The chassis' x must point forward, across the axles.
  void find_forward() {
    // Axles are lines: of twice their angle the mean is taken.
    Vec2 doubled = Vec2::Zero();
    for (const FoundWheel& wheel : rover_.wheels) {
      const Vec3 axle = survey_.axis(wheel.body);
      const double angle = 2 * std::atan2(axle.y(), axle.x());
      doubled += Vec2(std::cos(angle), std::sin(angle));
    }
    const double axle = std::atan2(doubled.y(), doubled.x()) / 2;
    double yaw = axle - std::numbers::pi / 2;  // of forward about z, in (-π, 0]
    if (yaw <= -std::numbers::pi / 2 + 0.01) yaw += std::numbers::pi;
    if (std::cos(yaw) >= kStraight) yaw = 0;
    if (yaw != 0) {
      note(fmt::format(
          "the axles say that forward is not x of the robot: {:.0f} degrees to its {} is taken "
          "as forward",
          std::abs(yaw) / kDegree, yaw > 0 ? "left" : "right"));
    }
    const Vec3 forward(std::cos(yaw), std::sin(yaw), 0);
    choose_chassis(forward);
  }

  /// Of the bodies welded to the root the first one whose axes fit, rather one with mass or a shape.
  void choose_chassis(const Vec3& forward) {
    const int root = root_group();
    int best = 0;
    for (const int b : survey_.members(root)) {
      const BodyData& data = *survey_.body(b).data;
      const Mat3& R = survey_.body(b).X_RB.R;
      if (R.col(0).dot(forward) < 0.999 || R(2, 2) < 0.999) continue;
      const bool is_empty =
          data.inertia.mass <= 0 && data.collisions.empty() && data.visuals.empty();
      const int fit = is_empty ? 1 : 2;
      if (fit <= best) continue;
      best = fit;
      rover_.chassis = b;
    }
    if (best > 0) return;
    rover_.chassis = root;
    rover_.chassis_yaw = std::atan2(forward.y(), forward.x());
  }

  int root_group() const {
    int at = rover_.wheels.front().body;
    while (survey_.body(at).parent != kWorld) at = survey_.body(at).parent;
    return survey_.body(at).group;
  }

  int wheels_below(int body) const {
    return static_cast<int>(std::ranges::count_if(
        rover_.wheels, [&](const FoundWheel& wheel) { return survey_.carries(body, wheel.body); }));
  }

  static void add_once(int body, std::vector<int>& to) {
    if (std::ranges::find(to, body) == to.end()) to.push_back(body);
  }

  /// The joints between a wheel and the chassis.
  void look_above(FoundWheel& wheel) {
    for (int at = survey_.body(wheel.body).parent; at != kWorld; at = survey_.body(at).parent) {
      if (!survey_.moves(at)) continue;
      const JointType type = survey_.joint(at)->type;
      if (type == JointType::prismatic) {
        add_once(at, rover_.sprung);
        continue;
      }
      if (type != JointType::revolute) continue;
      const bool upright = std::abs(survey_.axis(at).z()) > kUpright;
      if (is_follower(at)) {  // a loop moves it
        add_once(at, rover_.passive);
        continue;
      }
      if (upright && wheel.steer < 0 && wheels_below(at) == 1) {
        const bool is_caster = survey_.turns_freely(at) && !wheel.driven;
        if (is_caster) {
          add_once(at, rover_.passive);
        } else {
          wheel.steer = at;
        }
      } else if (!motors_.contains(joint_name(at)) && wheels_below(at) > 1) {
        add_once(at, rover_.passive);
      }
    }
  }

  bool is_follower(int body) const {
    return std::ranges::any_of(tree_.elements.loops, [&](const LoopData& loop) {
      const auto* coupling = std::get_if<CouplingData>(&loop.law);
      return coupling != nullptr && coupling->terms.front().joint.text == joint_name(body);
    });
  }

  /// Joints that are neither wheels nor what carries them stay where they are.
  void find_held() {
    for (std::size_t i = 0; i < survey_.bodies().size(); ++i) {
      const int body = static_cast<int>(i);
      if (!survey_.moves(body)) continue;
      const JointType type = survey_.joint(body)->type;
      if (type != JointType::revolute && type != JointType::prismatic) {
        note(fmt::format("the {} joint '{}' is left free", to_string(type), joint_name(body)));
        continue;
      }
      const bool known = std::ranges::any_of(rover_.wheels,
                                             [&](const FoundWheel& wheel) {
                                               return wheel.body == body || wheel.steer == body;
                                             }) ||
                         std::ranges::find(rover_.passive, body) != rover_.passive.end() ||
                         std::ranges::find(rover_.sprung, body) != rover_.sprung.end();
      if (!known && !is_follower(body)) rover_.held.push_back(body);
    }
  }

  /// A chassis that hangs on two passive joints, one on each side, swings unless they are tied.
  void find_differential() {
    std::vector<int> sides;
    for (const FoundWheel& wheel : rover_.wheels) {
      int top = -1;  // the moving joint nearest to the chassis
      for (int at = survey_.body(wheel.body).parent; at != kWorld; at = survey_.body(at).parent) {
        if (survey_.moves(at)) top = at;
      }
      if (top < 0 || std::ranges::find(rover_.passive, top) == rover_.passive.end()) return;
      add_once(top, sides);
    }
    if (sides.size() != 2 || is_follower(sides[0]) || is_follower(sides[1])) return;
    if (survey_.body(sides[0]).X_RB.p.y() < survey_.body(sides[1]).X_RB.p.y()) {
      std::swap(sides[0], sides[1]);
    }
    const Vec3 left = survey_.axis(sides[0]), right = survey_.axis(sides[1]);
    if (std::abs(left.dot(right)) < kStraight || std::abs(left.z()) > kLevel) return;
    for (const LoopData& loop : tree_.elements.loops) {
      if (std::holds_alternative<CouplingData>(loop.law)) return;
    }
    rover_.differential = {sides[0], sides[1], std::copysign(1.0, left.dot(right))};
    note(fmt::format(
        "'{}' and '{}' swing freely: a differential ties them, so that the chassis takes their "
        "mean",
        joint_name(sides[0]), joint_name(sides[1])));
  }

  const TreeData& tree_;
  const TreeSurvey& survey_;
  const std::set<std::string>& motors_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> why_not_;
  std::vector<std::string> crooked_, meshes_, spheres_;  // wheels of such shapes
  FoundRover rover_;
};

}  // namespace

std::optional<FoundRover> find_rover_in(const TreeData& tree, const TreeSurvey& survey,
                                        const std::set<std::string>& motors, const Place& place,
                                        IssueList& issues) {
  return RoverFinder(tree, survey, motors).run(place, issues);
}

}  // namespace grouser::internal
