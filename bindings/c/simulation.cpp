#include "objects.h"

namespace grouser::c {
namespace {

/// A report with texts and arrays as C sees them.
struct PlainReport {
  Report report;
  std::vector<grouser_wheel_report> wheels;
  std::vector<grouser_event> events;
  std::vector<grouser_alarm> alarms;
  std::vector<const char*> warnings;

  void assign(Report from) {
    report = std::move(from);
    wheels.clear(), events.clear(), alarms.clear(), warnings.clear();
    for (const WheelReport& wheel : report.wheels) {
      wheels.push_back({wheel.name.c_str(), wheel.slip_mean.has_value(),
                        wheel.slip_mean.value_or(0), wheel.sinkage_max, wheel.torque_rms,
                        wheel.normal_mean, wheel.pull_mean, wheel.lateral_mean, wheel.power_mean});
    }
    for (const Event& event : report.events) events.push_back({event.name.c_str(), event.time});
    for (const Alarm& alarm : report.alarms) {
      alarms.push_back({alarm.kind.c_str(), alarm.body.c_str(), alarm.time, alarm.last_time,
                        alarm.duration, alarm.message.c_str()});
    }
    for (const std::string& warning : report.warnings) warnings.push_back(warning.c_str());
  }
};

struct SimulationObject {
  static HandleTable& table() {
    static HandleTable table(4, "simulation");
    return table;
  }
  SimulationObject(const World& its_world, int threads)
      : world(its_world), simulation(world, {.threads = threads}) {}
  SimulationObject(const World& its_world, const State& start, int threads)
      : world(its_world), simulation(world, start, {.threads = threads}) {}

  Owner owner;
  World world;
  Simulation simulation;
  std::atomic<bool> stop = false;
  PlainReport report;
};

/// Runs work with the simulation of a handle, which no other thread uses meanwhile.
template <class Work>
grouser_result with_simulation(const grouser_simulation* handle, const Work& work) {
  return guarded([&] {
    auto& object = held<SimulationObject>(handle);
    const Use use(object.owner);
    work(object);
  });
}

grouser_sample plain(const Sample& s) {
  return {.time = s.time,
          .q = s.q.data(),
          .q_count = s.q.size(),
          .v = s.v.data(),
          .v_count = s.v.size(),
          .bodies = alike<grouser_body_sample>(s.bodies.data()),
          .body_count = s.bodies.size(),
          .actuators = alike<grouser_actuator_sample>(s.actuators.data()),
          .actuator_count = s.actuators.size(),
          .rovers = alike<grouser_rover_sample>(s.rovers.data()),
          .rover_count = s.rovers.size(),
          .wheels = alike<grouser_wheel_sample>(s.wheels.data()),
          .wheel_count = s.wheels.size(),
          .contacts = alike<grouser_contact_sample>(s.contacts.data()),
          .contact_count = s.contacts.size(),
          .spring_forces = s.spring_forces.data(),
          .spring_count = s.spring_forces.size(),
          .tether_tensions = s.tether_tensions.data(),
          .tether_count = s.tether_tensions.size(),
          .kinetic_energy = s.kinetic_energy,
          .potential_energy = s.potential_energy,
          .loop_residual = s.loop_residual};
}

/// Throws Error(usage) for what is no target.
Target inner(grouser_target target) {
  switch (target) {
    case GROUSER_POSITION:
      return Target::position;
    case GROUSER_VELOCITY:
      return Target::velocity;
    case GROUSER_EFFORT:
      return Target::effort;
  }
  refuse("there is no target " + std::to_string(target));
}

static_assert(GROUSER_COMPLETED == static_cast<int>(Outcome::completed));
static_assert(GROUSER_COMPLETED_WITH_ALARMS == static_cast<int>(Outcome::completed_with_alarms));
static_assert(GROUSER_STOPPED_BY_ALARM == static_cast<int>(Outcome::stopped_by_alarm));
static_assert(GROUSER_STOPPED_BY_EVENT == static_cast<int>(Outcome::stopped_by_event));
static_assert(GROUSER_INTERRUPTED == static_cast<int>(Outcome::interrupted));
static_assert(GROUSER_THE_WORLD == HostContact::kTheWorld);

}  // namespace
}  // namespace grouser::c

using namespace grouser;
using namespace grouser::c;

grouser_result grouser_simulation_create(const grouser_world* world, const grouser_state* start,
                                         int threads, grouser_simulation** out) {
  return guarded([&] {
    given(out, "the place for the handle");
    if (threads < 0) refuse("the number of threads is negative");
    const World& inner = held<WorldObject>(world).world;
    hand_out(start == nullptr ? std::make_unique<SimulationObject>(inner, threads)
                              : std::make_unique<SimulationObject>(
                                    inner, held<StateObject>(start).state, threads),
             out);
  });
}

grouser_result grouser_simulation_free(grouser_simulation* simulation) {
  return guarded([&] { free_handle<SimulationObject>(simulation); });
}

grouser_result grouser_simulation_step(grouser_simulation* simulation, bool* arrived) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    const bool did = object.simulation.step();
    if (arrived != nullptr) *arrived = did;
  });
}

grouser_result grouser_simulation_run_to(grouser_simulation* simulation, double end,
                                         grouser_outcome* outcome) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    const Outcome found = object.simulation.run_to(end, &object.stop);
    object.stop = false;
    if (outcome != nullptr) *outcome = static_cast<grouser_outcome>(found);
  });
}

grouser_result grouser_simulation_request_stop(grouser_simulation* simulation) {
  return guarded([&] { held<SimulationObject>(simulation).stop = true; });
}

grouser_result grouser_simulation_time(const grouser_simulation* simulation, double* time) {
  return with_simulation(simulation,
                         [&](SimulationObject& object) { answer(time, object.simulation.time()); });
}

grouser_result grouser_simulation_steps(const grouser_simulation* simulation, long* steps) {
  return with_simulation(
      simulation, [&](SimulationObject& object) { answer(steps, object.simulation.steps()); });
}

grouser_result grouser_simulation_state(const grouser_simulation* simulation, grouser_state** out) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    hand_out(std::make_unique<StateObject>(object.world, object.simulation.state()), out);
  });
}

grouser_result grouser_simulation_resumable(const grouser_simulation* simulation,
                                            grouser_state** out) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    hand_out(std::make_unique<StateObject>(object.world, object.simulation.resumable()), out);
  });
}

grouser_result grouser_simulation_restore(grouser_simulation* simulation,
                                          const grouser_state* state) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    object.simulation.restore(held<StateObject>(state).state);
  });
}

grouser_result grouser_simulation_reset(grouser_simulation* simulation) {
  return with_simulation(simulation, [](SimulationObject& object) { object.simulation.reset(); });
}

grouser_result grouser_simulation_sample(grouser_simulation* simulation, grouser_sample* sample) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    answer(sample, plain(object.simulation.sample()));
  });
}

grouser_result grouser_simulation_report(grouser_simulation* simulation, grouser_report* out) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    given(out, "the place for the answer");
    PlainReport& plain = object.report;
    plain.assign(object.simulation.report());
    const Report& report = plain.report;
    *out = {.outcome = static_cast<grouser_outcome>(report.outcome),
            .start_time = report.start_time,
            .time = report.time,
            .wall_time = report.wall_time,
            .steps = report.steps,
            .distance = report.distance,
            .energy = report.energy,
            .loop_residual = report.loop_residual,
            .wheels = plain.wheels.data(),
            .wheel_count = plain.wheels.size(),
            .events = plain.events.data(),
            .event_count = plain.events.size(),
            .alarms = plain.alarms.data(),
            .alarm_count = plain.alarms.size(),
            .warnings = plain.warnings.data(),
            .warning_count = plain.warnings.size()};
  });
}

grouser_result grouser_simulation_ground_at(const grouser_simulation* simulation, double x,
                                            double y, grouser_ground_point* point) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    answer(point, plain(object.simulation.ground_at(x, y)));
  });
}

grouser_result grouser_simulation_ground_heights(const grouser_simulation* simulation,
                                                 const grouser_ground_window* window,
                                                 double* heights, size_t count) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    copy_heights(object.simulation.ground_heights(inner(window)), heights, count);
  });
}

grouser_result grouser_simulation_set_target(grouser_simulation* simulation, int actuator,
                                             grouser_target target, double value) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    object.simulation.set_target({actuator}, inner(target), value);
  });
}

grouser_result grouser_simulation_release(grouser_simulation* simulation, int actuator) {
  return with_simulation(simulation,
                         [&](SimulationObject& object) { object.simulation.release({actuator}); });
}

grouser_result grouser_simulation_set_wrench(grouser_simulation* simulation, int body,
                                             const grouser_wrench* wrench) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    object.simulation.set_wrench({body}, *alike<Wrench>(&given(wrench, "the wrench")));
  });
}

grouser_result grouser_simulation_add_controller(grouser_simulation* simulation, double rate_hz,
                                                 double start_time, grouser_controller controller,
                                                 void* user) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    if (controller == nullptr) refuse("the controller is NULL");
    object.simulation.add_controller({.rate_hz = rate_hz, .start_time = start_time},
                                     [=](Simulation&) {
                                       const int result = controller(simulation, user);
                                       if (result != 0)
                                         refuse("a controller returned " + std::to_string(result));
                                     });
  });
}

grouser_result grouser_simulation_record(grouser_simulation* simulation, const char* folder) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    object.simulation.record(text(folder, "the folder's name"));
  });
}

grouser_result grouser_simulation_stop_recording(grouser_simulation* simulation) {
  return with_simulation(simulation,
                         [](SimulationObject& object) { object.simulation.stop_recording(); });
}

grouser_result grouser_simulation_set_contacts(grouser_simulation* simulation,
                                               const grouser_host_contact* contacts, size_t count) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    object.simulation.set_contacts(array<HostContact>(contacts, count, "the contacts"));
  });
}

grouser_result grouser_simulation_contact_forces(grouser_simulation* simulation,
                                                 const grouser_host_contact_force** forces,
                                                 size_t* count) {
  return with_simulation(simulation, [&](SimulationObject& object) {
    given(forces, "the place for the answer"), given(count, "the place for the answer");
    const auto& found = object.simulation.contact_forces();
    *forces = alike<grouser_host_contact_force>(found.data());
    *count = found.size();
  });
}
