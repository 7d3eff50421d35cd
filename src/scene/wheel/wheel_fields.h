#pragma once

#include <string>

#include "assets/fields.h"
#include "contact/wheel/wheel_model.h"
#include "core/error.h"
#include "scene/wheel/wheel_scene.h"

/// The lists of parameters of the wheel models; see assets/fields.h.
namespace grouser::internal {

template <class Visitor>
void visit_fields(PressLaw& law, Visitor& visit) {
  visit(FieldInfo{"unloading", "slope of unloading over the secant of loading"}.in(5.5, 1000),
        law.unloading);
  visit(FieldInfo{"delay", "of the elastic answer", "s"}.in(0, 10), law.delay);
}

template <class Visitor>
void visit_fields(TerraModel& model, Visitor& visit) {
  visit(FieldInfo{"dig", "slip sinkage per way slid"}.in(0, 10), model.dig);
  visit(FieldInfo{"fill_length", "travel within which soil fills the hole", "m"}.above(0, 100),
        model.fill_length);
  visit(FieldInfo{"dig_limit", "largest slip sinkage, in radii"}.above(0, 2), model.dig_limit);
  visit(FieldInfo{"dig_load", "power of the depth that carries, with which it digs"}.in(0, 3),
        model.dig_load);
  visit(FieldInfo{"slope_fill", "how much slower a hole fills uphill"}.in(0, 10), model.slope_fill);
  visit(FieldInfo{"dug_traction", "part of the slip sinkage that lengthens the footprint"}.in(0, 1),
        model.dug_traction);
  visit(FieldInfo{"pressure", "factor of Bekker's pressure"}.above(0, 100), model.pressure);
  visit(FieldInfo{"strength", "factor of the shear strength"}.above(0, 100), model.strength);
  visit(FieldInfo{"shear", "factor of the shear modulus K"}.above(0, 100), model.shear);
  visit(FieldInfo{"compaction", "factor of the resistance of compaction"}.in(0, 100),
        model.compaction);
  visit(FieldInfo{"bulldozing", "factor of the resistance of pushed soil"}.in(0, 100),
        model.bulldozing);
  visit(FieldInfo{"press", "how ground gives way"}, model.press);
}

template <class Visitor>
void visit_fields(BekkerModel& model, Visitor& visit) {
  visit(FieldInfo{"grip", "way of slip within which 63 % of the thrust are there", "m"}.above(0, 1),
        model.grip);
  visit(FieldInfo{"press", "how ground gives way"}, model.press);
}

template <class Visitor>
void visit_fields(BjhModel& model, Visitor& visit) {
  visit(FieldInfo{"press", "how ground gives way"}, model.press);
}

template <class Visitor>
void visit_fields(BwrModel& model, Visitor& visit) {
  visit(
      FieldInfo{
          "peak",
          "a0: angle of the highest pressure over the entry's, at no slip; between a1 and 1 - a1"}
          .in(0, 1),
      model.stress.peak);
  visit(FieldInfo{"peak_per_slip", "a1: its growth with slip"}.in(0, 0.5),
        model.stress.peak_per_slip);
  visit(FieldInfo{"rear", "sinkage at the exit over sinkage"}.in(0, 1), model.stress.rear);
  visit(FieldInfo{"press", "how ground gives way"}, model.press);
}

template <class Visitor>
void visit_fields(RheologicalModel& model, Visitor& visit) {
  visit(FieldInfo{"mass", "that each wheel carries; 0: an equal share of the rover's", "kg"}.in(
            0, 1e5),
        model.mass);
  visit(FieldInfo{"damping_ratio", "of the ground"}.above(0, 100), model.damping_ratio);
  visit(FieldInfo{"static_friction", "over sliding friction"}.in(1, 100), model.static_friction);
  visit(FieldInfo{"slide_speed", "at which sliding friction is there", "m/s"}.above(0, 10),
        model.slide_speed);
  visit(FieldInfo{"stick_speed", "below which a sliding wheel sticks", "m/s"}.above(0, 10),
        model.stick_speed);
  visit(FieldInfo{"rolling_speed", "at which rolling resists as much as compaction", "m/s"}.above(
            0, 100),
        model.rolling_speed);
}

/// What an entry says besides its subject.
template <class Visitor>
void visit_fields(WheelEntry& entry, Visitor& visit) {
  visit(FieldInfo{"grouser_height", "shear acts at the grousers' tips", "m"}.in(0, 1000).hinted(
            "lengths are in metres, not millimetres"),
        entry.grouser_height);
  std::visit([&](auto& model) { visit_fields(model, visit); }, entry.model);
}

}  // namespace grouser::internal
