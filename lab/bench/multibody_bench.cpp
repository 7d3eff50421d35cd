#include "lab/bench/multibody_bench.h"

#include "core/parallel.h"
#include "core/rng.h"
#include "lab/scene_parts.h"
#include "math/rotation.h"
#include "multibody/forward_dynamics.h"
#include "multibody/rnea.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

/// Random states to cycle through, so that nothing can be predicted from the last call.
struct States {
  explicit States(const Model& model) {
    CounterRng rng(1);
    const auto random = [&rng](int size) {
      VecX x(size);
      for (double& entry : x) entry = rng.uniform(-1, 1);
      return x;
    };
    for (int i = 0; i < kCount; ++i) {
      q.push_back(random(model.position_size()));
      normalize_positions(model, q.back().data());
      v.push_back(random(model.velocity_size()));
      tau.push_back(random(model.velocity_size()));
    }
  }
  std::size_t next() { return at = (at + 1) % kCount; }

  static constexpr int kCount = 256;
  std::size_t at = 0;
  std::vector<VecX> q, v, tau;
};

World rover_world(const char* rover) {
  return load_scene_values(Map{{"models", List{rover_at(rover, {0, 0, 0})}}}, "bench", ".");
}

double forward_dynamics_us(const Model& model) {
  States states(model);
  DynamicsScratch scratch(model);
  VecX vdot = VecX::Zero(model.velocity_size());
  return time_us([&] {
    const std::size_t i = states.next();
    forward_kinematics(model, states.q[i], states.v[i], scratch.kinematics);
    forward_dynamics(model, states.q[i].data(), states.v[i].data(), states.tau[i].data(), {},
                     scratch, vdot.data());
  });
}

double inverse_dynamics_us(const Model& model) {
  States states(model);
  Kinematics kinematics(model);
  RneaScratch scratch(model);
  VecX tau = VecX::Zero(model.velocity_size());
  return time_us([&] {
    const std::size_t i = states.next();
    forward_kinematics(model, states.q[i], states.v[i], kinematics);
    rnea(model, kinematics, states.tau[i].data(), {}, scratch, tau.data());
  });
}

double mass_matrix_us(const Model& model) {
  States states(model);
  Kinematics kinematics(model);
  MassMatrix M(model);
  return time_us([&] {
    const std::size_t i = states.next();
    forward_kinematics(model, states.q[i], states.v[i], kinematics);
    crba(model, kinematics, M);
    M.factorize(model);
  });
}

double default_scene_rtf() {
  const World world = load_builtin_scene("default");
  Observer silent;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 5}, silent);
  return report.state.time / report.wall_time;
}

}  // namespace

std::vector<BenchRow> multibody_bench() {
  const int threads = thread_count();
  set_thread_count(1);
  const World exomars = rover_world("exomars"), rocker = rover_world("rocker_bogie");
  const std::vector<BenchRow> rows = {
      {"forward_dynamics_rover21_us", forward_dynamics_us(exomars.model), "us"},
      {"inverse_dynamics_rover21_us", inverse_dynamics_us(exomars.model), "us"},
      {"mass_matrix_factor_rover21_us", mass_matrix_us(exomars.model), "us"},
      {"forward_dynamics_rocker_loop_us", forward_dynamics_us(rocker.model), "us"},
      {"default_scene_rtf", default_scene_rtf(), "x real time"},
  };
  set_thread_count(threads);
  return rows;
}

}  // namespace grouser::internal
