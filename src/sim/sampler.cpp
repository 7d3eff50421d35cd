#include "sim/sampler.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/rotation.h"
#include "multibody/balance.h"
#include "multibody/forces.h"
#include "sim/contact_sensors.h"

namespace grouser::internal {
namespace {

double slip(double speed, double rim_speed) {
  if (std::max(std::abs(speed), std::abs(rim_speed)) < kStandingSpeed) return 0;
  return std::abs(rim_speed) >= std::abs(speed) ? 1 - speed / rim_speed : rim_speed / speed - 1;
}

/// What the ground does to a wheel, and how it rolls there.
void sample_contact(const World& world, const Wheel& wheel, double drive_sign,
                    const State& committed, const WorldScratch& scratch, GroundSlope& slope,
                    WheelSample& sample) {
  const Vec3 force = contact_force(world, wheel.body, committed, scratch);
  sample.sinkage = contact_sinkage(world, wheel.body, scratch);
  const Kinematics& kinematics = scratch.dynamics.kinematics;
  const Vec3 centre = kinematics.X_WB[static_cast<std::size_t>(wheel.body)].p;
  const Vec3 normal =
      world.ground ? slope.normal(world.ground->map, centre.x(), centre.y(), 0.5 * wheel.radius)
                   : Vec3(Vec3::UnitZ());
  sample.normal = force.dot(normal);
  const Vec3 axle = drive_sign * kinematics.S[static_cast<std::size_t>(wheel.drive_dof)].angular();
  const Vec3 across = axle.cross(normal);
  if (across.norm() < 1e-3) return;  // lies on its side
  const Vec3 forward = across.normalized(), left = normal.cross(forward);
  sample.pull = force.dot(forward);
  sample.lateral = force.dot(left);
  if (sample.normal <= 0) return;
  const Vec3 velocity = twist_at(world.model, kinematics, wheel.body, centre).linear;
  const double speed = velocity.dot(forward);
  const double rim_speed = sample.rate * wheel.radius;
  sample.fastest = std::abs(rim_speed) >= std::abs(speed) ? rim_speed : speed;
  sample.slip = slip(speed, rim_speed);
  const double aside = velocity.dot(left);
  if (std::hypot(speed, aside) < kStandingSpeed) return;
  sample.slip_angle = std::atan2(speed < 0 ? -aside : aside, std::abs(speed));
}

void sample_contacts(const World& world, const ContactInput& input, const State& committed,
                     const WorldScratch& scratch, Sample& out) {
  read_contact_sensors(world, input, committed, scratch, out.contacts);
  out.contact_details = scratch.contacts;
  out.ground = nullptr;
  out.soil_cells.clear();
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    if (world.contacts[s]->shapes_ground()) out.ground = input.ground;
    world.contacts[s]->sample_cells(*scratch.contacts[s], out.soil_cells);
  }
}

void sample_forces(const World& world, double time, const Kinematics& kinematics, Sample& out) {
  const Model& model = world.model;
  for (std::size_t i = 0; i < model.springs().size(); ++i) {
    const SpringDamper& spring = model.springs()[i];
    out.spring_force[static_cast<Eigen::Index>(i)] =
        spring_force(spring, line_between(model, kinematics, spring.a, spring.b));
  }
  for (std::size_t i = 0; i < model.tethers().size(); ++i) {
    const Tether& tether = model.tethers()[i];
    out.tether_tension[static_cast<Eigen::Index>(i)] =
        tether_tension(tether, line_between(model, kinematics, tether.a, tether.b), time);
  }
}

}  // namespace

void sample_wheels(const World& world, const double* q, const double* v, const State& committed,
                   WorldScratch& scratch, std::span<WheelSample> out) {
  std::size_t slot = 0;
  for (std::size_t r = 0; r < world.rovers.size(); ++r) {
    const Rover& rover = world.rovers[r];
    const RoverPlan& plan = scratch.rovers[r];
    for (std::size_t w = 0; w < rover.wheels.size(); ++w, ++slot) {
      const Wheel& wheel = rover.wheels[w];
      WheelSample& sample = out[slot];
      sample = {.rate = plan.drive_sign[w] * v[wheel.drive_dof]};
      if (wheel.steer_dof >= 0) {
        sample.steer = plan.steer_sign[w] * q[world.model.position_of_dof(wheel.steer_dof)];
      }
      if (plan.drive_actuator[w] >= 0) {
        sample.torque = plan.drive_sign[w] * scratch.effort[plan.drive_actuator[w]];
        sample.power = sample.torque * sample.rate;
      }
      sample_contact(world, wheel, plan.drive_sign[w], committed, scratch,
                     scratch.ground_slopes[slot], sample);
    }
  }
}

void sample_rovers(const World& world, const State& committed, const WorldScratch& scratch,
                   std::span<RoverSample> out) {
  const std::vector<Pose>& X_WB = scratch.dynamics.kinematics.X_WB;
  for (std::size_t r = 0; r < world.rovers.size(); ++r) {
    out[r] = {.attitude = rpy_from_rotation(X_WB[at(world.rovers[r].chassis)].R)};
  }
  for (std::size_t p = 0; p < world.path_commands.size(); ++p) {
    const double* memory = committed.memory.data() + scratch.layout.path[p];
    if (memory[MemoryLayout::kTicks] == 0) continue;  // not begun
    const PathCommand& command = world.path_commands[p];
    const Vec2 start(memory[MemoryLayout::kStart], memory[MemoryLayout::kStart + 1]);
    const Vec3& chassis = X_WB[at(world.rovers[at(command.rover)].chassis)].p;
    out[at(command.rover)].path_deviation =
        distance_from_path(command.plan, start, chassis.head<2>());
  }
}

void use_step_efforts(const Model& model, const VecX& efforts, VecX& out) {
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    if (model.actuators()[a].type == ActuatorType::prescribed) continue;
    out[static_cast<Eigen::Index>(a)] = efforts[static_cast<Eigen::Index>(a)];
  }
}

Sample make_sample(const World& world) {
  const Model& model = world.model;
  const std::size_t bodies = static_cast<std::size_t>(model.body_count());
  Sample sample;
  sample.q = VecX::Zero(model.position_size());
  sample.v = VecX::Zero(model.velocity_size());
  sample.X_WB.resize(bodies);
  sample.V_WB.resize(bodies);
  sample.actuator_effort = VecX::Zero(static_cast<Eigen::Index>(model.actuators().size()));
  sample.actuator_power = sample.actuator_effort;
  sample.spring_force = VecX::Zero(static_cast<Eigen::Index>(model.springs().size()));
  sample.tether_tension = VecX::Zero(static_cast<Eigen::Index>(model.tethers().size()));
  sample.loop_force = VecX::Zero(model.loop_row_count());
  std::size_t wheels = 0;
  for (const Rover& rover : world.rovers) wheels += rover.wheels.size();
  sample.wheels.resize(wheels);
  sample.rovers.resize(world.rovers.size());
  return sample;
}

void take_sample(const World& world, double time, const double* q, const double* v,
                 const State& committed, const VecX* step_efforts, WorldScratch& scratch,
                 Sample& out) {
  const Model& model = world.model;
  evaluate(world, time, q, v, committed, Purpose::look, scratch);
  prescribed_efforts(world, q, v, scratch);
  if (step_efforts) use_step_efforts(model, *step_efforts, scratch.effort);
  const Kinematics& kinematics = scratch.dynamics.kinematics;
  out.time = time;
  out.q = Eigen::Map<const VecX>(q, model.position_size());
  out.v = Eigen::Map<const VecX>(v, model.velocity_size());
  for (int body = 0; body < model.body_count(); ++body) {
    const std::size_t b = static_cast<std::size_t>(body);
    out.X_WB[b] = kinematics.X_WB[b];
    out.V_WB[b] = twist_at(model, kinematics, body, kinematics.X_WB[b].p);
  }
  out.actuator_effort = scratch.effort;
  for (std::size_t a = 0; a < model.actuators().size(); ++a) {
    const Eigen::Index i = static_cast<Eigen::Index>(a);
    out.actuator_power[i] = scratch.effort[i] * v[model.actuators()[a].dof];
  }
  out.loop_force = scratch.dynamics.multipliers;
  if (model.loop_row_count() > 0) {
    out.loop_residual = scratch.dynamics.loops.residual.cwiseAbs().maxCoeff();
  }
  sample_forces(world, time, kinematics, out);
  sample_wheels(world, q, v, committed, scratch, out.wheels);
  sample_rovers(world, committed, scratch, out.rovers);
  sample_contacts(world, {time, scratch.motions_at(world, q, v), present_ground(world, committed)},
                  committed, scratch, out);
  if (world.power) {
    out.power = power_state(world, committed);
    out.charge = state_of_charge(world, committed);
  }
  if (!world.mission.activities.empty()) {
    const MissionMemory mission = scratch.mission.get(committed);
    out.activity = mission.activity;
    out.parked = mission.parked == 1 ? 1 : 0;
  }
  out.kinetic_energy = kinetic_energy(model, kinematics, v);
  out.potential_energy = potential_energy(model, kinematics, q, time);
}

}  // namespace grouser::internal
