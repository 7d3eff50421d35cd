#include "contact/wheel/bekker_wong_reece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact/wheel/bwr_integral.h"
#include "contact/wheel/travelling_shear.h"
#include "core/error.h"

namespace grouser::internal {
namespace {

/// Of steady motion: the rim goes r per angle, the wheel what slip leaves of that.
BwrContact steady_contact(const WheelForm& wheel, const WheelTravel& travel, double sinkage) {
  constexpr double kLocked = 1e-12;  // a locked wheel's soil is sheared without end
  const double r = wheel.radius;
  BwrContact contact{.sinkage = sinkage, .slip = travel.slip, .rim = r};
  contact.travel =
      travel.slip >= 0 ? r * (1 - travel.slip) : r / std::max(1 + travel.slip, kLocked);
  contact.side = contact.travel * std::tan(travel.slip_angle);
  return contact;
}

/// As if the wheel had been rolled the other way.
WheelReaction mirrored(WheelReaction reaction) {
  reaction.pull = -reaction.pull;
  reaction.torque = -reaction.torque;
  return reaction;
}

void add(double part, const WheelReaction& reaction, WheelReaction& sum) {
  sum.pull += part * reaction.pull;
  sum.lateral += part * reaction.lateral;
  sum.normal += part * reaction.normal;
  sum.torque += part * reaction.torque;
}

/// Slip that ways of rim and wheel amount to, -1 ... 1; of none at all, next to a whole one, it is 0.
double slip_of(double rim, double travel, double whole) {
  constexpr double kNone = 0.03;
  const double larger = std::max(std::abs(rim), std::abs(travel));
  return std::clamp((rim - travel) / std::hypot(larger, kNone * whole), -1.0, 1.0);
}

}  // namespace

void validate(const WheelForm& wheel, const Soil& soil, const BwrOptions& options) {
  IssueList issues;
  const RangeCheck check{issues};
  check("peak", options.peak,
        options.peak >= options.peak_per_slip && options.peak + options.peak_per_slip <= 1,
        "peak_per_slip ... 1 - peak_per_slip");
  check("peak_per_slip", options.peak_per_slip, options.peak_per_slip >= 0, ">= 0");
  check("rear", options.rear, options.rear >= 0 && options.rear <= 1, "0 ... 1");
  check("gravity", options.gravity, options.gravity >= 0, ">= 0 [m/s²]");
  try {
    validate(wheel, soil);
  } catch (const Error& error) {
    issues.append(error.issues());
  }
  issues.throw_if_any();
}

WheelReaction bwr_reaction(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                           double sinkage, const BwrOptions& options) {
  if (sinkage <= 0) return {.sinkage = sinkage};
  return bwr_integral(wheel, wheel_soil(soil, wheel, options.gravity), options,
                      steady_contact(wheel, travel, sinkage), fine_bwr_rule());
}

BwrBalance bwr_balance(const WheelForm& wheel, const Soil& soil, const WheelTravel& travel,
                       double load, const BwrOptions& options) {
  constexpr int kHalvings = 50;
  double low = 0, high = wheel.radius;
  WheelReaction at_high = bwr_reaction(wheel, soil, travel, high, options);
  if (at_high.normal < load) return {at_high, false};
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    const WheelReaction there = bwr_reaction(wheel, soil, travel, middle, options);
    if (there.normal < load) {
      low = middle;
    } else {
      high = middle;
      at_high = there;
    }
  }
  return {at_high, true};
}

WheelReaction react(const BwrModel& model, const WheelForm& wheel, const WheelSoil& soil,
                    const WheelMotion& motion, double dt, WheelMemory& memory) {
  WheelReaction reaction{.sinkage = std::max(motion.depth, 0.0)};
  if (motion.depth <= 0) {
    const double way = length_of(motion.travel, motion.side) * dt / (0.2 * wheel.radius);
    memory = {.sunk = sunk_after(model.press, memory.sunk, faded(way), 0)};
    return reaction;
  }
  const double r = wheel.radius, z = std::min(motion.depth, r);
  const BwrAngles angles = bwr_angles(wheel, model.stress, z, 0);
  const double arc = angles.entry - angles.exit, whole = r * arc;
  const Vec2 slip(motion.rim - motion.travel, -motion.side);
  const Vec2 travel(motion.travel, -motion.side);
  const TravellingShear travelling{.renewal = std::abs(motion.rim) / whole,
                                   .modulus = soil.shear_modulus,
                                   .settling = soil.rocking / 2};
  const auto fading = [&] {
    return travelling.fading(Vec2(memory.rim - memory.shear.x(), memory.shear.y()), slip);
  };
  const Fading before = fading();
  const double rolling = (motion.rim + motion.travel) / 2;
  const double renewal =
      length_of(motion.travel / contact_length(wheel, z), motion.side / wheel.width);
  const double sheared = faded(before.rate * dt);
  memory.rim = before.after(memory.rim, motion.rim, dt, sheared);
  memory.shear = before.after(memory.shear, travel, dt, sheared);
  memory.bow.x() = built_up(memory.bow.x(), rolling, faded(4 * std::abs(rolling) * dt / whole));
  memory.sunk = sunk_after(model.press, memory.sunk, faded(renewal * dt), z);
  const Fading now = fading();
  const double rim = now.felt(memory.rim, motion.rim);
  const Vec2 way = now.felt(memory.shear, travel);
  const double virgin = soil.stiffness * std::pow(z, soil.exponent);
  BwrContact contact{
      .sinkage = z,
      .slip = slip_of(rim, way.x(), whole),
      .pressed = press(model.press, soil, z, motion.depth_rate, memory.sunk) / virgin,
      .rim = rim / arc,
      .travel = way.x() / arc,
      .side = way.y() / arc};
  constexpr double kNothing = 1e-9;
  const double forward = (1 + memory.bow.x()) / 2;
  if (forward > kNothing) {
    add(forward, bwr_integral(wheel, soil, model.stress, contact, fast_bwr_rule()), reaction);
  }
  if (forward < 1 - kNothing) {
    contact.rim = -contact.rim;
    contact.travel = -contact.travel;
    contact.slip = -contact.slip;
    add(1 - forward, mirrored(bwr_integral(wheel, soil, model.stress, contact, fast_bwr_rule())),
        reaction);
  }
  return reaction;
}

}  // namespace grouser::internal
