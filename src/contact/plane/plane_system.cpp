#include "contact/plane/plane_system.h"

#include <algorithm>

#include "contact/laws/surface_friction.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

void validate(const SpringyPlane& plane) {
  const std::string place = "plane";
  IssueList issues;
  const MaterialChecks check{"is no springy plane", place, issues};
  check.demand(plane.normal.norm() > 0, "normal", plane.normal.norm(), "longer than 0");
  check.demand(true, "point", plane.point.norm(), "finite [m]");
  check.demand(plane.stiffness > 0, "stiffness", plane.stiffness, "> 0 [N/m]");
  check.demand(plane.damping >= 0, "damping", plane.damping, ">= 0 [N s/m]");
  check.demand(plane.friction >= 0, "friction", plane.friction, ">= 0 [-]");
  check.demand(plane.creep_speed > 0, "creep_speed", plane.creep_speed, "> 0 [m/s]");
  issues.throw_if_any();
}

}  // namespace

struct PlaneSystem::Scratch final : ContactScratch {
  struct Point {
    Vec3 p_W = Vec3::Zero();    // [m]
    Vec3 force = Vec3::Zero();  // [N]
    double depth = 0;           // [m]
    double load = 0;            // along the normal [N]
    double speed = 0;           // of sliding [m/s]
  };
  std::vector<Point> points;
};

PlaneSystem::PlaneSystem(std::vector<PlanePoint> points, std::vector<SpringyPlane> planes)
    : points_(std::move(points)), planes_(std::move(planes)) {
  for (SpringyPlane& plane : planes_) {
    validate(plane);
    plane.normal.normalize();
  }
}

const SpringyPlane& PlaneSystem::plane_of(std::size_t point) const {
  return planes_[at(points_[point].plane)];
}

std::vector<ContactElementInfo> PlaneSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (const PlanePoint& point : points_) {
    elements.push_back({.name = {},
                        .model = std::string(kName),
                        .body = point.body,
                        .ground = GroundContact::hard});
  }
  return elements;
}

std::unique_ptr<ContactScratch> PlaneSystem::make_scratch() const {
  auto scratch = std::make_unique<Scratch>();
  scratch->points.resize(points_.size());
  return scratch;
}

void PlaneSystem::evaluate(const ContactInput& input, const ContactMemory& /*memory*/,
                           Purpose /*purpose*/, ContactScratch& any,
                           std::span<Wrench> wrenches) const {
  auto& scratch = static_cast<Scratch&>(any);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const SpringyPlane& plane = plane_of(k);
    const Pose& X_WB = input.bodies.X_WB[at(points_[k].body)];
    const Vec3 p_W = X_WB * points_[k].p_B;
    Scratch::Point& point = scratch.points[k];
    point = {.p_W = p_W, .depth = std::max(0.0, plane.normal.dot(plane.point - p_W))};
    if (point.depth == 0) continue;
    const Vec3 velocity = input.bodies.twist_at(points_[k].body, p_W).linear;
    const double rising = plane.normal.dot(velocity);
    const Vec3 sliding = velocity - rising * plane.normal;
    point.speed = sliding.norm();
    point.load = std::max(0.0, plane.stiffness * point.depth - plane.damping * rising);
    const double grip = plane.friction * point.load / std::max(point.speed, plane.creep_speed);
    point.force = point.load * plane.normal - grip * sliding;
    const Wrench at_point{Vec3::Zero(), point.force};
    wrenches[at(points_[k].body)] += at_point.shifted(X_WB.p - p_W);
  }
}

void PlaneSystem::stiffness(const ContactInput& input, const ContactMemory& /*memory*/,
                            double reach, ContactScratch& any, ContactStiffness& out) const {
  const auto& scratch = static_cast<Scratch&>(any);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Scratch::Point& point = scratch.points[k];
    if (point.load == 0) continue;
    const SpringyPlane& plane = plane_of(k);
    const Mat3 along = plane.normal * plane.normal.transpose();
    const double normal = reach * plane.damping + reach * reach * plane.stiffness;
    const double grip =
        reach * plane.friction * point.load / std::max(point.speed, plane.creep_speed);
    // From the twist at the reference point to the velocity of the point.
    Eigen::Matrix<double, 3, 6> J;
    J << -skew(point.p_W - input.bodies.p_WR[at(points_[k].body)]), Mat3::Identity();
    out.bodies.push_back(
        {.body = points_[k].body,
         .matrix = J.transpose() * (normal * along + grip * (Mat3::Identity() - along)) * J});
  }
}

Vec3 PlaneSystem::force_on(int body, const ContactMemory& /*memory*/,
                           const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k].body == body) sum += scratch.points[k].force;
  }
  return sum;
}

void PlaneSystem::sample(const ContactInput& input, const ContactMemory& /*memory*/,
                         const ContactScratch& any, std::vector<ContactReading>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Scratch::Point& point = scratch.points[k];
    const GatheredReading gathered{.body = points_[k].body,
                                   .origin = point.p_W,
                                   .wrench = {Vec3::Zero(), point.force},
                                   .depth = point.depth};
    out.push_back(
        gathered.reading(input.bodies.twist_at(gathered.body, point.p_W), point.load > 0));
  }
}

std::vector<ContactPiece> PlaneSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const PlanePoint& point : points_) pieces.push_back({"point on a plane", point.body});
  return pieces;
}

}  // namespace grouser::internal
