#pragma once

namespace grouser::internal {

enum class IntegrationMethod {
  rk4,            ///< classical Runge–Kutta of order 4, fixed step
  semi_implicit,  ///< symplectic Euler: velocities, then positions with them; fixed step
  esdirk,         ///< ARKODE, stiffly accurate ESDIRK of order 5(4), adaptive
  bdf,            ///< CVODE, variable order BDF for stiff systems, adaptive, multistep
  adams,          ///< CVODE, variable order Adams for smooth systems, adaptive, multistep
  moreau_jean,    ///< time stepping with impulses, fixed step; see nonsmooth/moreau_jean.h
};

const char* to_string(IntegrationMethod method);

/// True if the method remembers nothing but the state and a step size: a run split by a checkpoint
/// then gives the same bits as an unbroken one.
constexpr bool is_one_step(IntegrationMethod method) {
  return method != IntegrationMethod::bdf && method != IntegrationMethod::adams;
}

/// True if the method finds impulses: bodies may be rigid.
constexpr bool is_time_stepping(IntegrationMethod method) {
  return method == IntegrationMethod::moreau_jean;
}

constexpr bool is_adaptive(IntegrationMethod method) {
  return method != IntegrationMethod::rk4 && method != IntegrationMethod::semi_implicit &&
         !is_time_stepping(method);
}

struct IntegratorOptions {
  IntegrationMethod method = IntegrationMethod::rk4;
  /// Fixed methods: the step. Adaptive one-step method: the interval at whose ends it starts
  /// afresh, so that a checkpoint there is complete. [s], > 0
  double step = 1e-3;
  double relative_tolerance = 1e-6;  ///< adaptive methods [-], > 0
  double absolute_tolerance = 1e-8;  ///< adaptive methods, in the unit of each state, > 0
  double max_step = 0;               ///< adaptive methods; 0 = no limit [s]
  long max_steps = 100000;  ///< adaptive methods: most steps from one stop to the next, > 0
  /// moreau_jean: 1/2 ... 1; 0 = 1 if bodies stand on soft ground, else 1/2 [-]
  double theta = 0;
  double impulse_tolerance = 1e-8;  ///< moreau_jean: residual of the impulses [-], > 0
  double margin =
      2e-5;  ///< moreau_jean: overlap at which bodies rest, so that they are seen to touch [m]
};

}  // namespace grouser::internal
