#include "scene/inertia_repair.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/text.h"
#include "geometry/mesh_file.h"
#include "scene/body_checks.h"

namespace grouser::internal {
namespace {

constexpr double kMassShare = 1e-3;       // of the robot's mass, for a moving link without any
constexpr double kLeastMass = 1e-3;       // [kg]
constexpr double kTinyGyration = 0.05;    // of the half-extent: no solid has so little
constexpr double kGuessedDensity = 1000;  // of links without shape [kg/m³]

/// The largest of a link's shapes as a solid in the link's frame; nothing without shapes that can be read.
std::optional<std::pair<Pose, Shape>> solid_of(const BodyData& body) {
  const auto& shapes = body.collisions.empty() ? body.visuals : body.collisions;
  std::optional<std::pair<Pose, Shape>> largest;
  double largest_size = 0;
  for (const VisualData& given : shapes) {
    std::pair<Pose, Shape> solid{given.X_BS, given.shape};
    if (const auto* mesh = std::get_if<MeshShape>(&given.shape)) {
      try {
        const Aabb box = bounds(read_mesh(mesh->file).mesh);
        const Vec3 centre = box.centre().cwiseProduct(mesh->scale);
        const Vec3 size = box.size().cwiseProduct(mesh->scale.cwiseAbs()).cwiseMax(1e-4);
        solid = {given.X_BS * Pose{Mat3::Identity(), centre}, BoxShape{size}};
      } catch (const Error&) {
        continue;  // without its size the next best will do
      }
    }
    const double size = solid_inertia(solid.second, 1).about_com.trace();
    if (size <= largest_size) continue;
    largest_size = size;
    largest = solid;
  }
  return largest;
}

struct Estimate {
  RigidInertia inertia;
  std::string like;  ///< what was assumed
};

Estimate estimate(const BodyData& body, double mass) {
  if (const auto solid = solid_of(body)) {
    return {transformed(solid->first, solid_inertia(solid->second, mass)),
            "a homogeneous solid of its shape"};
  }
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * kGuessedDensity));
  RigidInertia inertia = solid_inertia(SphereShape{radius}, mass);
  inertia.com = body.inertia.com;
  return {inertia, fmt::format("a sphere of {} kg/m³, for want of a shape", kGuessedDensity)};
}

class InertiaSearch {
 public:
  InertiaSearch(const TreeData& tree, const TreeSurvey& survey) : tree_(tree), survey_(survey) {}

  std::vector<InertiaFinding> run() {
    for (const BodyData& body : tree_.bodies) {
      if (body.inertia.mass > 0) look_at(body);
    }
    for (std::size_t b = 0; b < survey_.bodies().size(); ++b) look_at_moved(static_cast<int>(b));
    for (const BodyData& body : tree_.bodies) {
      if (body.inertia.mass <= 0 && !is_found(body)) look_at(body);
    }
    return std::move(findings_);
  }

 private:
  bool is_found(const BodyData& body) const {
    return std::ranges::any_of(
        findings_, [&](const InertiaFinding& finding) { return finding.link == body.name.text; });
  }

  void add(const BodyData& body, std::string problem, std::string value,
           const RigidInertia& proposal, const std::string& how, bool is_fatal) {
    findings_.push_back({.link = body.name.text,
                         .place = body.name.place,
                         .problem = std::move(problem),
                         .value = std::move(value),
                         .change = fmt::format("{} kg, {}: {}", format_number(proposal.mass),
                                               moments_text(proposal), how),
                         .proposal = proposal,
                         .is_fatal = is_fatal});
  }

  /// One link by itself.
  void look_at(const BodyData& body) {
    IssueList issues;
    check_inertia(body.inertia, body.visuals, false, body.name.place, issues);
    if (issues.empty()) return;
    const Issue& issue = issues.issues().front();
    if (body.inertia.mass <= 0) {
      return add(body, issue.message, issue.value, RigidInertia{}, "none", true);
    }
    if (*physical_defect(body.inertia) != '\0') {
      return add(body, issue.message, issue.value, balanced(body.inertia),
                 "the nearest that a body can have", true);
    }
    const Estimate solid = estimate(body, body.inertia.mass);
    add(body, issue.message, issue.value, solid.inertia, solid.like, true);
  }

  /// What a joint moves.
  void look_at_moved(int index) {
    const BodyData& body = *survey_.body(index).data;
    if (!survey_.moves(index) || is_found(body)) return;
    const RigidInertia moved = survey_.carried(index);
    if (moved.mass <= 0) {
      const Estimate solid = estimate(body, std::max(kLeastMass, kMassShare * survey_.mass()));
      return add(body, "moves, but has no mass, and neither has what it carries", "0 kg",
                 solid.inertia,
                 solid.like + fmt::format(", of {:g} of the robot's mass", kMassShare), true);
    }
    if (survey_.joint(index)->type != JointType::revolute || body.inertia.mass <= 0) return;
    const double moment = survey_.inertia_about_joint(index);
    const Estimate solid = estimate(body, body.inertia.mass);
    const double expected = solid.inertia.about_com.trace() / 3;
    const double gyration = std::sqrt(std::max(0.0, moment) / moved.mass);
    if (gyration >= kTinyGyration * std::sqrt(expected / body.inertia.mass)) return;
    add(body,
        moment <= 0 ? "turns, but has no moment of inertia about its joint"
                    : "has far too small a moment of inertia for its size, as placeholders have",
        fmt::format("{:.3g} kg m² about its joint, a radius of gyration of {:.3g} m", moment,
                    gyration),
        solid.inertia, solid.like, moment <= 0);
  }

  const TreeData& tree_;
  const TreeSurvey& survey_;
  std::vector<InertiaFinding> findings_;
};

std::string three_numbers(const Vec3& v) {
  return fmt::format("{} {} {}", format_number(v.x()), format_number(v.y()), format_number(v.z()));
}

}  // namespace

RigidInertia balanced(const RigidInertia& inertia) {
  constexpr double kLeast = 1e-3;  // of the largest second moment
  const Mat3 symmetric = (inertia.about_com + inertia.about_com.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);
  const Vec3 principal = solver.eigenvalues();
  Vec3 second = Vec3::Constant(principal.sum() / 2) - principal;  // [kg m²]
  const double least = kLeast * std::max(second.maxCoeff(), 1e-12);
  second = second.cwiseMax(least);
  const Vec3 moments = Vec3::Constant(second.sum()) - second;
  RigidInertia result = inertia;
  result.about_com =
      solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  return result;
}

std::vector<InertiaFinding> find_inertia_defects(const TreeData& tree, const TreeSurvey& survey) {
  return InertiaSearch(tree, survey).run();
}

void apply_inertia(const InertiaFinding& finding, XmlElement& robot) {
  for (XmlElement& link : robot.children) {
    if (link.name != "link" || link.text("name") != finding.link) continue;
    std::erase_if(link.children, [](const XmlElement& child) { return child.name == "inertial"; });
    if (finding.proposal.mass <= 0) return;
    XmlElement& inertial = link.make_child("inertial");
    XmlElement& origin = inertial.make_child("origin");
    origin.set("xyz", three_numbers(finding.proposal.com));
    origin.set("rpy", "0 0 0");
    inertial.make_child("mass").set("value", format_number(finding.proposal.mass));
    const Mat3& I = finding.proposal.about_com;
    XmlElement& moments = inertial.make_child("inertia");
    constexpr const char* kAxes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        moments.set(fmt::format("i{}{}", kAxes[i], kAxes[j]), format_number(I(i, j)));
      }
    }
    return;
  }
}

}  // namespace grouser::internal
