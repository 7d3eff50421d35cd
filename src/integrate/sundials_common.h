#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <string>

#include "integrate/integrator.h"

/// What the two SUNDIALS integrators share.
namespace grouser::internal {

/// Owner of a SUNDIALS object.
template <class T, auto Free>
class SundialsHandle {
 public:
  SundialsHandle() = default;
  explicit SundialsHandle(T handle) : handle_(handle) {}
  ~SundialsHandle() {
    if (handle_) Free(handle_);
  }
  SundialsHandle(const SundialsHandle&) = delete;
  SundialsHandle& operator=(const SundialsHandle&) = delete;
  T get() const { return handle_; }
  void reset(T handle) {
    if (handle_) Free(handle_);
    handle_ = handle;
  }

 private:
  T handle_ = nullptr;
};

inline void free_context(SUNContext context) { SUNContext_Free(&context); }

using SundialsContext = SundialsHandle<SUNContext, free_context>;
using SundialsVector = SundialsHandle<N_Vector, N_VDestroy>;
using SundialsMatrix = SundialsHandle<SUNMatrix, SUNMatDestroy>;
using SundialsLinearSolver = SundialsHandle<SUNLinearSolver, SUNLinSolFree>;
using SundialsNonlinearSolver = SundialsHandle<SUNNonlinearSolver, SUNNonlinSolFree>;

/// What the right-hand side needs besides y, and what SUNDIALS says when it gives up.
struct SundialsUser {
  OdeSystem* system = nullptr;
  std::string message;
};

SUNContext make_sundials_context();

/// Right-hand side for both packages. A rate that is not finite is a recoverable failure: the
/// integrator tries again with a smaller step.
int sundials_rate(realtype time, N_Vector y, N_Vector rate, void* user);

/// Its Jacobian by differences, for both packages. SUNDIALS' own shrinks its increments with the values and
/// rates: where all comes to rest they drown in the rounding of the rates, Newton's method fails and the steps
/// collapse. Here they stay above 1.5e-8 (m, rad, m/s, rad/s).
int sundials_jacobian(realtype time, N_Vector y, N_Vector rate, SUNMatrix jacobian, void* user,
                      N_Vector scratch, N_Vector, N_Vector);

/// Keeps the message instead of printing it.
void sundials_error(int code, const char* module, const char* function, char* message, void* user);

/// Throws Error(diverged) with what SUNDIALS said if `flag` is negative.
void check_sundials(int flag, const SundialsUser& user, double time);

}  // namespace grouser::internal
