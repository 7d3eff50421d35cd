#include "sim/sampler.h"

#include "multibody/balance.h"
#include "multibody/forces.h"

namespace grouser {
namespace {

void sample_wheels(const World& world, const double* q, const double* v,
                   const WorldScratch& scratch, Sample& out) {
  std::size_t slot = 0;
  for (std::size_t r = 0; r < world.rovers.size(); ++r) {
    const Rover& rover = world.rovers[r];
    const RoverPlan& plan = scratch.rovers[r];
    for (std::size_t w = 0; w < rover.wheels.size(); ++w, ++slot) {
      const Wheel& wheel = rover.wheels[w];
      WheelSample& sample = out.wheels[slot];
      sample = {.rate = plan.drive_sign[w] * v[wheel.drive_dof]};
      if (wheel.steer_dof >= 0) {
        sample.steer = plan.steer_sign[w] * q[world.model.position_of_dof(wheel.steer_dof)];
      }
      if (plan.drive_actuator[w] >= 0) {
        sample.torque = plan.drive_sign[w] * scratch.effort[plan.drive_actuator[w]];
      }
    }
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

Sample make_sample(const World& world) {
  const Model& model = world.model;
  const std::size_t bodies = static_cast<std::size_t>(model.body_count());
  Sample sample;
  sample.q = VecX::Zero(model.position_size());
  sample.v = VecX::Zero(model.velocity_size());
  sample.X_WB.resize(bodies);
  sample.V_WB.resize(bodies);
  sample.actuator_effort = VecX::Zero(static_cast<Eigen::Index>(model.actuators().size()));
  sample.spring_force = VecX::Zero(static_cast<Eigen::Index>(model.springs().size()));
  sample.tether_tension = VecX::Zero(static_cast<Eigen::Index>(model.tethers().size()));
  sample.loop_force = VecX::Zero(model.loop_row_count());
  std::size_t wheels = 0;
  for (const Rover& rover : world.rovers) wheels += rover.wheels.size();
  sample.wheels.resize(wheels);
  return sample;
}

void take_sample(const World& world, double time, const double* q, const double* v,
                 const std::vector<double>& memory, WorldScratch& scratch, Sample& out) {
  const Model& model = world.model;
  evaluate(world, time, q, v, memory, scratch);
  prescribed_efforts(world, q, v, scratch);
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
  out.loop_force = scratch.dynamics.multipliers;
  if (model.loop_row_count() > 0) {
    out.loop_residual = scratch.dynamics.loops.residual.cwiseAbs().maxCoeff();
  }
  sample_forces(world, time, kinematics, out);
  sample_wheels(world, q, v, scratch, out);
  out.kinetic_energy = kinetic_energy(model, kinematics, v);
  out.potential_energy = potential_energy(model, kinematics, q, time);
}

}  // namespace grouser
