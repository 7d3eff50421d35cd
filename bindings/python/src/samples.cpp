#include <initializer_list>

#include "binding.h"

namespace grouser::python {
namespace {

struct Field {
  const char* name;
  const char* format;
  std::size_t offset;
};

py::dtype record(std::initializer_list<Field> fields, std::size_t size) {
  py::list names, formats, offsets;
  for (const Field& field : fields) {
    names.append(field.name), formats.append(field.format), offsets.append(field.offset);
  }
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
}

py::dtype bodies_dtype() {
  return record({{"orientation", "(4,)f8", offsetof(BodySample, pose.orientation)},
                 {"position", "(3,)f8", offsetof(BodySample, pose.position)},
                 {"angular", "(3,)f8", offsetof(BodySample, twist.angular)},
                 {"linear", "(3,)f8", offsetof(BodySample, twist.linear)}},
                sizeof(BodySample));
}
py::dtype wheels_dtype() {
  using W = WheelSample;
  return record({{"rate", "f8", offsetof(W, rate)},
                 {"steer", "f8", offsetof(W, steer)},
                 {"torque", "f8", offsetof(W, torque)},
                 {"slip", "f8", offsetof(W, slip)},
                 {"slip_angle", "f8", offsetof(W, slip_angle)},
                 {"sinkage", "f8", offsetof(W, sinkage)},
                 {"normal", "f8", offsetof(W, normal)},
                 {"pull", "f8", offsetof(W, pull)},
                 {"lateral", "f8", offsetof(W, lateral)},
                 {"power", "f8", offsetof(W, power)}},
                sizeof(W));
}
py::dtype contacts_dtype() {
  using C = ContactSample;
  return record({{"in_contact", "?", offsetof(C, in_contact)},
                 {"force", "(3,)f8", offsetof(C, force)},
                 {"torque", "(3,)f8", offsetof(C, torque)},
                 {"power", "f8", offsetof(C, power)},
                 {"depth", "f8", offsetof(C, depth)},
                 {"point", "(3,)f8", offsetof(C, point)}},
                sizeof(C));
}
py::dtype actuators_dtype() {
  return record({{"effort", "f8", offsetof(ActuatorSample, effort)},
                 {"power", "f8", offsetof(ActuatorSample, power)}},
                sizeof(ActuatorSample));
}
py::dtype rovers_dtype() {
  using R = RoverSample;
  return record({{"roll", "f8", offsetof(R, roll)},
                 {"pitch", "f8", offsetof(R, pitch)},
                 {"yaw", "f8", offsetof(R, yaw)},
                 {"path_deviation", "f8", offsetof(R, path_deviation)}},
                sizeof(R));
}

/// A view of a vector of the sample that a Python object holds.
template <class Element>
auto view_of(std::vector<Element> Sample::*list, const py::dtype& dtype) {
  return [list, dtype](const py::object& self) {
    const auto& elements = py::cast<const Sample&>(self).*list;
    return view(dtype, {static_cast<py::ssize_t>(elements.size())}, elements.data(), self);
  };
}

/// "<grouser.Name: slip 0.12, load 34.5 N>" of pieces of text and numbers with four digits.
std::string shown(const char* format, const py::args& numbers) {
  return py::cast<std::string>(py::str(format).format(*numbers));
}

}  // namespace

py::array contact_records(const std::vector<ContactSample>& contacts) {
  py::array array(contacts_dtype(), {static_cast<py::ssize_t>(contacts.size())}, contacts.data());
  return array;  // a copy: there is no owner
}

void bind_samples(py::module_& module) {
  const py::dtype number = py::dtype::of<double>();
  py::class_<Sample>(module, "Sample",
                     "Everything about an instant, in the order of the world's lists of names. A "
                     "snapshot: it never "
                     "changes. Arrays are read-only views of it, which keep it alive; .copy() "
                     "makes one to write to.")
      .def_readonly("time", &Sample::time, "[s]")
      .def_property_readonly("q", view_of(&Sample::q, number), "Joint positions [rad], [m].")
      .def_property_readonly("v", view_of(&Sample::v, number), "Joint velocities [rad/s], [m/s].")
      .def_property_readonly("bodies", view_of(&Sample::bodies, bodies_dtype()),
                             "orientation (w, x, y, z), position [m], angular [rad/s], linear "
                             "[m/s]: bodies[\"position\"] has a row per body.")
      .def_property_readonly("actuators", view_of(&Sample::actuators, actuators_dtype()),
                             "effort [N m] or [N], power [W].")
      .def_property_readonly("rovers", view_of(&Sample::rovers, rovers_dtype()),
                             "roll, pitch, yaw [rad], path_deviation [m].")
      .def_property_readonly("wheels", view_of(&Sample::wheels, wheels_dtype()),
                             "rate [rad/s], steer [rad], torque [N m], slip [-], slip_angle [rad], "
                             "sinkage [m], normal, pull, lateral [N], power [W].")
      .def_property_readonly(
          "contacts", view_of(&Sample::contacts, contacts_dtype()),
          "in_contact, force [N], torque [N m], power [W], depth [m], point [m].")
      .def_property_readonly("spring_forces", view_of(&Sample::spring_forces, number),
                             "Pulling positive [N].")
      .def_property_readonly("tether_tensions", view_of(&Sample::tether_tensions, number), "[N]")
      .def_readonly("kinetic_energy", &Sample::kinetic_energy, "[J]")
      .def_readonly("potential_energy", &Sample::potential_energy, "Of gravity and springs [J].")
      .def_readonly("loop_residual", &Sample::loop_residual,
                    "By how much loops are open [m], [rad].")
      .def("__repr__", [](const Sample& s) {
        return shown("<grouser.Sample at {:.6g} s: bodies {}, wheels {}, contacts {}>",
                     py::make_tuple(s.time, s.bodies.size(), s.wheels.size(), s.contacts.size()));
      });

  py::class_<WheelSample>(module, "WheelSample",
                          "A wheel at an instant, in the frame of the ground under it.")
      .def_readonly("rate", &WheelSample::rate, "Of rolling, forward positive [rad/s].")
      .def_readonly("steer", &WheelSample::steer, "Steering angle [rad].")
      .def_readonly("torque", &WheelSample::torque, "Of the drive [N m].")
      .def_readonly("slip", &WheelSample::slip, "Driving 1 - v/(wr), braking wr/v - 1 [-].")
      .def_readonly("slip_angle", &WheelSample::slip_angle,
                    "From where it heads to where its hub goes, to the left [rad].")
      .def_readonly("sinkage", &WheelSample::sinkage,
                    "Of its deepest part below the untouched ground [m].")
      .def_readonly("normal", &WheelSample::normal, "Load [N].")
      .def_readonly("pull", &WheelSample::pull, "Forward [N].")
      .def_readonly("lateral", &WheelSample::lateral, "To the left [N].")
      .def_readonly("power", &WheelSample::power, "Of the drive [W].")
      .def("__repr__", [](const WheelSample& s) {
        return shown("<grouser.WheelSample: slip {:.4g}, sinkage {:.4g} m, load {:.4g} N>",
                     py::make_tuple(s.slip, s.sinkage, s.normal));
      });

  py::class_<ActuatorSample>(module, "ActuatorSample", "An actuator at an instant.")
      .def_readonly("effort", &ActuatorSample::effort, "[N m] or [N]")
      .def_readonly("power", &ActuatorSample::power, "[W]")
      .def("__repr__", [](const ActuatorSample& s) {
        return shown("<grouser.ActuatorSample: effort {:.4g}, power {:.4g} W>",
                     py::make_tuple(s.effort, s.power));
      });

  const auto tuple = [](const Vec3& v) { return py::make_tuple(v.x, v.y, v.z); };
  py::class_<BodySample>(module, "BodySample", "Where a body is and how it moves, at an instant.")
      .def_property_readonly(
          "position", [=](const BodySample& body) { return tuple(body.pose.position); },
          "Of its origin in the world [m].")
      .def_property_readonly(
          "orientation",
          [](const BodySample& body) {
            const Quaternion& q = body.pose.orientation;
            return py::make_tuple(q.w, q.x, q.y, q.z);
          },
          "A unit quaternion: w, x, y, z.")
      .def_property_readonly(
          "angular", [=](const BodySample& body) { return tuple(body.twist.angular); },
          "Angular velocity, world axes [rad/s].")
      .def_property_readonly(
          "linear", [=](const BodySample& body) { return tuple(body.twist.linear); },
          "Velocity of its origin, world axes [m/s].")
      .def("__repr__", [](const BodySample& s) {
        const Vec3& p = s.pose.position;
        return shown("<grouser.BodySample at ({:.4g}, {:.4g}, {:.4g}) m>",
                     py::make_tuple(p.x, p.y, p.z));
      });
}

}  // namespace grouser::python
