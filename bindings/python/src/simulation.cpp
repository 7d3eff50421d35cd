#include <cmath>

#include "binding.h"
#include "interrupt.h"

namespace grouser::python {

py::array contact_records(const std::vector<ContactSample>& contacts);
GroundWindow window_of(double x, double y, double spacing, int columns, int rows);

namespace {

struct Runner {
  Runner(const World& world, const State* start, int threads)
      : simulation(make(world, start, threads)) {}

  static std::unique_ptr<Simulation> make(const World& world, const State* start, int threads) {
    if (threads < 0) refuse("the number of threads is negative");
    const py::gil_scoped_release release;
    return start == nullptr
               ? std::make_unique<Simulation>(world, SimulationOptions{.threads = threads})
               : std::make_unique<Simulation>(world, *start, SimulationOptions{.threads = threads});
  }

  Owner owner;
  std::unique_ptr<Simulation> simulation;
  std::atomic<bool> is_asked = false;  // by stop()
  std::atomic<bool> ends = false;      // the present run does: it was asked to, or a signal came
};

/// Runs work with the simulation, which no other thread uses meanwhile, holding Python's lock.
template <class Work>
auto with(Runner& runner, const Work& work) {
  const Use use(runner.owner);
  return work(*runner.simulation);
}
/// The same without Python's lock.
template <class Work>
auto unlocked(Runner& runner, const Work& work) {
  const Use use(runner.owner);
  const py::gil_scoped_release release;
  return work(*runner.simulation);
}

Outcome run_to(Runner& runner, double end) {
  const InterruptFlag interrupt(runner.ends);
  while (true) {
    runner.ends = false;
    if (runner.is_asked) runner.ends = true;  // in this order: stop() sets the two in the other one
    const Outcome outcome = unlocked(
        runner, [&](Simulation& simulation) { return simulation.run_to(end, &runner.ends); });
    const bool is_asked = runner.is_asked.exchange(false);
    if (outcome != Outcome::interrupted) return outcome;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (is_asked) return outcome;  // else a handler of the user's own raised nothing: on
  }
}

void stop(Runner& runner) {
  runner.is_asked = true;
  runner.ends = true;
}

Target target_of(const std::string& name) {
  if (name == "position") return Target::position;
  if (name == "velocity") return Target::velocity;
  if (name == "effort") return Target::effort;
  refuse("a target is a position, velocity or effort, not '" + name + "'");
}

int index_of(double number) {
  const int index = std::abs(number) < 1e9 ? static_cast<int>(number) : -2;  // also for NaN
  if (index != number) refuse("a body of a contact must be a whole number");
  return index;
}

std::vector<HostContact> contacts_of(const Numbers& rows) {
  constexpr py::ssize_t kColumns = 11;
  if (rows.ndim() != 2 || rows.shape(1) != kColumns) refuse("contacts must be rows of 11 numbers");
  std::vector<HostContact> contacts;
  const auto at = rows.unchecked<2>();
  for (py::ssize_t k = 0; k < rows.shape(0); ++k) {
    contacts.push_back({.body_a = index_of(at(k, 0)),
                        .body_b = index_of(at(k, 1)),
                        .point = {at(k, 2), at(k, 3), at(k, 4)},
                        .normal = {at(k, 5), at(k, 6), at(k, 7)},
                        .gap = at(k, 8),
                        .friction = at(k, 9),
                        .restitution = at(k, 10)});
  }
  return contacts;
}

/// Points and forces, a row of six numbers each.
py::array forces_of(const std::vector<HostContactForce>& forces) {
  static_assert(sizeof(HostContactForce) == 6 * sizeof(double));
  return py::array(py::dtype::of<double>(),
                   {static_cast<py::ssize_t>(forces.size()), py::ssize_t{6}},
                   forces.data());  // a copy: there is no owner
}

py::dict dict_of(const WheelReport& wheel) {
  py::dict dict;
  dict["name"] = wheel.name;
  dict["slip_mean"] = wheel.slip_mean;
  dict["sinkage_max"] = wheel.sinkage_max;
  dict["torque_rms"] = wheel.torque_rms;
  dict["normal_mean"] = wheel.normal_mean;
  dict["pull_mean"] = wheel.pull_mean;
  dict["lateral_mean"] = wheel.lateral_mean;
  dict["power_mean"] = wheel.power_mean;
  return dict;
}

py::dict dict_of(const Report& report) {
  py::dict dict;
  dict["start_time"] = report.start_time;
  dict["time"] = report.time;
  dict["wall_time"] = report.wall_time;
  dict["steps"] = report.steps;
  dict["distance"] = report.distance;
  dict["energy"] = report.energy;
  dict["loop_residual"] = report.loop_residual;
  py::list wheels, events, alarms;
  for (const WheelReport& wheel : report.wheels) wheels.append(dict_of(wheel));
  for (const Event& event : report.events) events.append(py::make_tuple(event.name, event.time));
  for (const Alarm& alarm : report.alarms) {
    alarms.append(py::make_tuple(alarm.kind, alarm.body, alarm.time, alarm.last_time,
                                 alarm.duration, alarm.message));
  }
  dict["outcome"] = static_cast<int>(report.outcome);
  dict["alarms"] = alarms;
  dict["wheels"] = wheels;
  dict["events"] = events;
  dict["warnings"] = report.warnings;
  return dict;
}

/// The controller is found by way of the Python object, which holds it: no circle passes through C++.
void add_controller(const py::object& self, double rate_hz, double start_time, std::size_t slot) {
  auto& runner = py::cast<Runner&>(self);
  with(runner, [&](Simulation& simulation) {
    simulation.add_controller({.rate_hz = rate_hz, .start_time = start_time},
                              [owner = self.ptr(), slot](Simulation&) {
                                const py::gil_scoped_acquire acquire;
                                py::handle(owner).attr("_call_controller")(slot);
                              });
  });
}

void bind_state(py::module_& module) {
  py::class_<State>(module, "State")
      .def_property_readonly("time", &State::time)
      .def_property_readonly("hash", &State::hash)
      .def("equals", [](const State& a, const State& b) { return a == b; })
      .def("to_bytes",
           [](const State& state, const World& world) { return bytes_of(state.to_bytes(world)); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes, const World& world) {
                    return State::from_bytes(span_of(std::string_view(bytes)), world);
                  })
      .def("save", &State::save)
      .def_static("load", &State::load);
}

void bind_motion(py::class_<Runner>& bound) {
  bound.def("_step", [](Runner& r) { return unlocked(r, [](Simulation& s) { return s.step(); }); })
      .def("_run_to", [](Runner& r, double end) { return static_cast<int>(run_to(r, end)); })
      .def("_stop", &stop)
      .def("_restore",
           [](Runner& r, const State& state) {
             unlocked(r, [&](Simulation& s) { s.restore(state); });
           })
      .def("_reset", [](Runner& r) { unlocked(r, [](Simulation& s) { s.reset(); }); })
      .def("_time", [](Runner& r) { return with(r, [](Simulation& s) { return s.time(); }); })
      .def("_steps", [](Runner& r) { return with(r, [](Simulation& s) { return s.steps(); }); })
      .def("_state", [](Runner& r) { return with(r, [](Simulation& s) { return s.state(); }); })
      .def("_resumable",
           [](Runner& r) { return with(r, [](Simulation& s) { return s.resumable(); }); })
      .def("_record",
           [](Runner& r, const std::filesystem::path& folder) {
             unlocked(r, [&](Simulation& s) { s.record(folder); });
           })
      .def("_stop_recording",
           [](Runner& r) { unlocked(r, [](Simulation& s) { s.stop_recording(); }); });
}

void bind_looking(py::class_<Runner>& bound) {
  bound.def("_sample", [](Runner& r) { return with(r, [](Simulation& s) { return s.sample(); }); })
      .def("_report",
           [](Runner& r) { return with(r, [](Simulation& s) { return dict_of(s.report()); }); })
      .def("_wheel_index",
           [](Runner& r, const std::string& name) {
             return with(r, [&](Simulation& s) { return s.wheel(name).index; });
           })
      .def("_body_index",
           [](Runner& r, const std::string& name) {
             return with(r, [&](Simulation& s) { return s.body(name).index; });
           })
      .def("_actuator_index",
           [](Runner& r, const std::string& name) {
             return with(r, [&](Simulation& s) { return s.actuator(name).index; });
           })
      .def("_wheel",
           [](Runner& r, int i) {
             return with(r, [=](Simulation& s) { return s.sample(Wheel{i}); });
           })
      .def("_body", [](Runner& r,
                       int i) { return with(r, [=](Simulation& s) { return s.sample(Body{i}); }); })
      .def("_actuator",
           [](Runner& r, int i) {
             return with(r, [=](Simulation& s) { return s.sample(Actuator{i}); });
           })
      .def("_ground_at",
           [](Runner& r, double x, double y) {
             return with(r, [=](Simulation& s) { return s.ground_at(x, y); });
           })
      .def("_ground_heights", [](Runner& r, double x, double y, double spacing, int columns,
                                 int rows) {
        return with(r, [=](Simulation& s) {
          return take(s.ground_heights(window_of(x, y, spacing, columns, rows)), {rows, columns});
        });
      });
}

void bind_inputs(py::class_<Runner>& bound) {
  bound
      .def("_set_target",
           [](Runner& r, int actuator, const std::string& target, double value) {
             with(r, [&](Simulation& s) { s.set_target({actuator}, target_of(target), value); });
           })
      .def("_release",
           [](Runner& r, int actuator) { with(r, [=](Simulation& s) { s.release({actuator}); }); })
      .def("_set_wrench",
           [](Runner& r, int body, const Numbers& force, const Numbers& torque) {
             const Wrench wrench{.torque = vec3_of(torque, "a torque"),
                                 .force = vec3_of(force, "a force")};
             with(r, [&](Simulation& s) { s.set_wrench({body}, wrench); });
           })
      .def("_set_contacts",
           [](Runner& r, const Numbers& rows) {
             const std::vector<HostContact> contacts = contacts_of(rows);
             with(r, [&](Simulation& s) { s.set_contacts(contacts); });
           })
      .def("_contact_forces",
           [](Runner& r) {
             return with(r, [](Simulation& s) { return forces_of(s.contact_forces()); });
           })
      .def("_add_controller", &add_controller);
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_state(module);
  py::class_<Runner> bound(module, "Simulation");
  bound.def(py::init<const World&, const State*, int>());
  bind_motion(bound);
  bind_looking(bound);
  bind_inputs(bound);
}

}  // namespace grouser::python
