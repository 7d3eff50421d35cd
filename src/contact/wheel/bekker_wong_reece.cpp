#include "contact/wheel/bekker_wong_reece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/laws/shear.h"
#include "core/error.h"
#include "math/spatial.h"

namespace grouser {
namespace {

/// What does not change along the contact.
struct Contact {
  double entry = 0, exit = 0, peak = 0;  ///< θ_f, θ_r, θ_m [rad]
  double stiffness = 0;                  ///< k_c/b + k_φ [N/m^(n+2)]
  /// Ways of the rim and of the wheel, over the larger of the two [-].
  double rim = 1, travel = 1;
  ShearLaw shear;
  double bulldozing_depth = 0, bulldozing_weight = 0;  ///< D1 c [Pa], D1 D2 ρ g [N/m³]
};

Contact contact_at(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                   double sinkage, const BwrOptions& options) {
  Contact contact;
  contact.entry = std::acos(1 - sinkage / wheel.radius);
  contact.exit = -std::acos(1 - options.rear * sinkage / wheel.radius);
  contact.peak = (options.peak + options.peak_per_slip * travel.slip) * contact.entry;
  contact.stiffness = soil.cohesive_modulus / wheel.width + soil.frictional_modulus;
  if (travel.slip >= 0) {
    contact.travel = 1 - travel.slip;
  } else {
    contact.rim = 1 + travel.slip;
  }
  const double tan_friction = std::tan(soil.friction_angle);
  contact.shear = {
      .cohesion = soil.cohesion, .tan_friction = tan_friction, .modulus = soil.shear_modulus};
  // The plane of failure rises at 45° - φ/2.
  const double rise = std::numbers::pi / 4 - soil.friction_angle / 2, cot = 1 / std::tan(rise);
  const double d1 = cot + std::tan(rise + soil.friction_angle);
  const double d2 = 0.5 * (cot + cot * cot * tan_friction);
  contact.bulldozing_depth = d1 * soil.cohesion;
  contact.bulldozing_weight = d1 * d2 * soil.density * options.gravity;
  return contact;
}

/// Adds what the arc from θ to θ + dθ does.
void add_arc(const WheelForm& wheel, const Soil& soil, const Contact& contact, double tan_angle,
             double theta, double dtheta, BwrReaction& sum) {
  const double r = wheel.radius, r_shear = r + wheel.grouser_height, b = wheel.width;
  const double cos_entry = std::cos(contact.entry);
  const double mirrored = theta >= contact.peak
                              ? theta
                              : contact.entry - (theta - contact.exit) /
                                                    (contact.peak - contact.exit) *
                                                    (contact.entry - contact.peak);
  const double depth = r * std::max(0.0, std::cos(mirrored) - cos_entry);
  const double sigma = contact.stiffness * std::pow(depth, soil.sinkage_exponent);
  // The rim's way, times `rim`: that of a locked wheel would be infinite.
  const double turned = contact.entry - theta;
  const Vec2 way(r_shear * contact.rim * turned -
                     r * contact.travel * (std::sin(contact.entry) - std::sin(theta)),
                 r * contact.travel * turned * tan_angle);
  const double length = way.norm();
  Vec2 tau = Vec2::Zero();
  if (length > 0) {
    tau = contact.shear.strength(sigma) * contact.shear.mobilised(length / contact.rim) / length *
          way;
  }
  const double sine = std::sin(theta), cosine = std::cos(theta);
  sum.pull += b * dtheta * (r_shear * tau.x() * cosine - r * sigma * sine);
  sum.normal += b * dtheta * (r_shear * tau.x() * sine + r * sigma * cosine);
  sum.torque += b * dtheta * r_shear * r_shear * tau.x();
  sum.lateral += b * dtheta * r_shear * tau.y();
  if (way.y() == 0) return;
  const double side = r * std::max(0.0, cosine - cos_entry);  // depth of the side face
  const double resistance =
      contact.bulldozing_depth * side + contact.bulldozing_weight * side * side;
  const double mobilised = contact.shear.mobilised(std::abs(way.y()) / contact.rim);
  sum.lateral += std::copysign(mobilised, tan_angle) * resistance * (r - side * cosine) * dtheta;
}

/// From the peak to an end of the contact, θ = end + (peak - end) u²: there the pressure begins as a power of
/// the way, which u makes smooth. Gauss' rule with five points on eight parts of u.
template <class Add>
void integrate(double peak, double end, Add&& add) {
  constexpr double kPoint[] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                               0.9061798459386640};
  constexpr double kWeight[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
  constexpr int kParts = 8;
  constexpr double kHalf = 0.5 / kParts;
  const double whole = peak - end;
  for (int part = 0; part < kParts; ++part) {
    for (int k = 0; k < 5; ++k) {
      const double u = kHalf * (2 * part + 1 + kPoint[k]);
      add(end + whole * u * u, 2 * u * std::abs(whole) * kHalf * kWeight[k]);
    }
  }
}

}  // namespace

void validate(const WheelForm& wheel, const Soil& soil, const BwrOptions& options) {
  IssueList issues;
  const auto check = [&](const char* field, double value, bool legal, const char* range) {
    if (legal) return;
    issues.add({.message = "is out of range",
                .field = field,
                .value = fmt::format("{:g}", value),
                .legal = range});
  };
  check("radius", wheel.radius, wheel.radius > 0, "> 0 [m]");
  check("width", wheel.width, wheel.width > 0, "> 0 [m]");
  check("grouser_height", wheel.grouser_height, wheel.grouser_height >= 0, ">= 0 [m]");
  check("peak", options.peak,
        options.peak >= options.peak_per_slip && options.peak + options.peak_per_slip <= 1,
        "peak_per_slip ... 1 - peak_per_slip");
  check("peak_per_slip", options.peak_per_slip, options.peak_per_slip >= 0, ">= 0");
  check("rear", options.rear, options.rear >= 0 && options.rear <= 1, "0 ... 1");
  check("gravity", options.gravity, options.gravity >= 0, ">= 0 [m/s²]");
  check("soil.cohesive_modulus", soil.cohesive_modulus,
        soil.cohesive_modulus / wheel.width + soil.frictional_modulus > 0,
        "such that k_c/b + k_φ > 0 for the wheel's width");
  issues.throw_if_any();
}

BwrReaction bwr_reaction(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                         double sinkage, const BwrOptions& options) {
  BwrReaction sum{.sinkage = sinkage};
  if (sinkage <= 0) return sum;
  const Contact contact = contact_at(wheel, soil, travel, sinkage, options);
  const double tan_angle = std::tan(travel.slip_angle);
  const auto add = [&](double theta, double dtheta) {
    add_arc(wheel, soil, contact, tan_angle, theta, dtheta, sum);
  };
  // Stresses have a kink at the peak.
  integrate(contact.peak, contact.exit, add);
  integrate(contact.peak, contact.entry, add);
  return sum;
}

BwrBalance bwr_balance(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                       double load, const BwrOptions& options) {
  constexpr int kHalvings = 50;
  double low = 0, high = wheel.radius;
  BwrReaction at_high = bwr_reaction(wheel, soil, travel, high, options);
  if (at_high.normal < load) return {at_high, false};
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    const BwrReaction there = bwr_reaction(wheel, soil, travel, middle, options);
    if (there.normal < load) {
      low = middle;
    } else {
      high = middle;
      at_high = there;
    }
  }
  return {at_high, true};
}

}  // namespace grouser
