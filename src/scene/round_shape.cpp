#include "scene/round_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "geometry/mesh_file.h"

namespace grouser::internal {
namespace {

constexpr double kOffAxis = 0.1;      // of the radius, by which a centre may lie beside the axis
constexpr double kAligned = 0.985;    // cosine of 10 degrees
constexpr double kOutOfRound = 0.08;  // of the radius, by which an outline may differ: grousers
constexpr double kTreadRadius = 0.9;  // of the largest: shapes from there on are the tread
constexpr int kOutlineDirections = 32;

double beside_axis(const Vec3& p, const Vec3& axis) { return (p - axis.dot(p) * axis).norm(); }

std::optional<RoundShape> round_mesh(const MeshShape& shape, const Pose& X_BS, const Vec3& axis) {
  const TriMesh mesh = read_mesh(shape.file).mesh;
  const Vec3 x = axis.unitOrthogonal(), y = axis.cross(x);
  double reach[kOutlineDirections] = {};
  RoundShape round{.low = std::numeric_limits<double>::infinity(),
                   .high = -std::numeric_limits<double>::infinity(),
                   .is_mesh = true};
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 p = X_BS * Vec3(vertex.cwiseProduct(shape.scale));
    round.low = std::min(round.low, axis.dot(p));
    round.high = std::max(round.high, axis.dot(p));
    for (int k = 0; k < kOutlineDirections; ++k) {
      const double angle = 2 * std::numbers::pi * k / kOutlineDirections;
      reach[k] = std::max(reach[k], p.dot(std::cos(angle) * x + std::sin(angle) * y));
    }
  }
  const auto [least, most] = std::ranges::minmax(reach);
  round.radius = most;
  if (most <= 0 || most - least > kOutOfRound * most || round.width() <= 0) return std::nullopt;
  return round;
}

}  // namespace

std::optional<RoundShape> round_about(const VisualData& shape, const Pose& X_BS, const Vec3& axis) {
  const double along = axis.dot(X_BS.p), beside = beside_axis(X_BS.p, axis);
  if (const auto* sphere = std::get_if<SphereShape>(&shape.shape)) {
    if (beside > kOffAxis * sphere->radius) return std::nullopt;
    return RoundShape{.radius = sphere->radius,
                      .low = along - sphere->radius / 2,
                      .high = along + sphere->radius / 2,
                      .is_sphere = true};
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.shape)) {
    if (beside > kOffAxis * cylinder->radius) return std::nullopt;
    return RoundShape{.radius = cylinder->radius,
                      .low = along - cylinder->length / 2,
                      .high = along + cylinder->length / 2,
                      .is_crooked = std::abs(X_BS.R.col(2).dot(axis)) < kAligned};
  }
  if (const auto* mesh = std::get_if<MeshShape>(&shape.shape)) return round_mesh(*mesh, X_BS, axis);
  return std::nullopt;
}

std::optional<double> lowest_point(const VisualData& shape, const Pose& X_RS) {
  const double z = X_RS.p.z();
  if (const auto* sphere = std::get_if<SphereShape>(&shape.shape)) return z - sphere->radius;
  if (const auto* box = std::get_if<BoxShape>(&shape.shape)) {
    return z - X_RS.R.row(2).cwiseAbs().dot(box->size) / 2;
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.shape)) {
    const double upright = std::min(1.0, std::abs(X_RS.R(2, 2)));
    return z - upright * cylinder->length / 2 - std::sqrt(1 - upright * upright) * cylinder->radius;
  }
  return std::nullopt;
}

std::optional<RoundShape> rolling_shape(const TreeSurvey& survey, int group, std::string& why_not) {
  const auto shapes_of = [&](std::vector<VisualData> BodyData::*shapes) {
    std::vector<std::pair<Pose, VisualData>> found;
    for (const int b : survey.members(group)) {
      const Pose X_GB = survey.body(group).X_RB.inverse() * survey.body(b).X_RB;
      for (const VisualData& shape : survey.body(b).data->*shapes) {
        found.emplace_back(X_GB * shape.X_BS, shape);
      }
    }
    return found;
  };
  auto shapes = shapes_of(&BodyData::collisions);
  if (shapes.empty()) shapes = shapes_of(&BodyData::visuals);
  why_not = shapes.empty() ? "has no shape" : "is not round about its joint's axis";
  std::vector<RoundShape> rounds;
  for (const auto& [X_GS, shape] : shapes) {
    try {
      const auto round = round_about(shape, X_GS, survey.joint(group)->axis);
      if (round) rounds.push_back(*round);
    } catch (const Error& error) {
      why_not = error.what();
    }
  }
  if (rounds.empty()) return std::nullopt;
  RoundShape wheel = *std::ranges::max_element(rounds, {}, &RoundShape::radius);
  for (const RoundShape& round : rounds) {
    if (round.radius < kTreadRadius * wheel.radius || round.is_crooked != wheel.is_crooked)
      continue;
    wheel.low = std::min(wheel.low, round.low);
    wheel.high = std::max(wheel.high, round.high);
  }
  return wheel;
}

}  // namespace grouser::internal
