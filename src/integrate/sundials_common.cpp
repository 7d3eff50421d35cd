#include "integrate/sundials_common.h"

#include <fmt/format.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace grouser::internal {

SUNContext make_sundials_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return context;
}

int sundials_rate(realtype time, N_Vector y, N_Vector rate, void* user) {
  OdeSystem& system = *static_cast<SundialsUser*>(user)->system;
  double* out = N_VGetArrayPointer(rate);
  system.derivative(time, N_VGetArrayPointer(y), out);
  for (int i = 0; i < system.size(); ++i) {
    if (!std::isfinite(out[i])) return 1;
  }
  return 0;
}

int sundials_jacobian(realtype time, N_Vector y, N_Vector rate, SUNMatrix jacobian, void* user,
                      N_Vector scratch, N_Vector, N_Vector) {
  constexpr double kIncrement = 1.5e-8;  // root of the rounding: errors of both kinds are alike
  const int size = static_cast<SundialsUser*>(user)->system->size();
  double* values = N_VGetArrayPointer(y);
  const double *before = N_VGetArrayPointer(rate), *after = N_VGetArrayPointer(scratch);
  for (int j = 0; j < size; ++j) {
    const double value = values[j];
    values[j] = value + kIncrement * std::max(1.0, std::abs(value));
    const double increment = values[j] - value;
    const int failed = sundials_rate(time, y, scratch, user);
    values[j] = value;
    if (failed) return failed;
    double* column = SUNDenseMatrix_Column(jacobian, j);
    for (int i = 0; i < size; ++i) column[i] = (after[i] - before[i]) / increment;
  }
  return 0;
}

void sundials_error(int, const char*, const char*, char* message, void* user) {
  static_cast<SundialsUser*>(user)->message = message;
}

void check_sundials(int flag, const SundialsUser& user, double time) {
  if (flag >= 0) return;
  throw Error(ErrorKind::diverged,
              {.message = fmt::format("the integrator gave up at t = {} s: {}", time,
                                      user.message.empty() ? "no reason given" : user.message)});
}

}  // namespace grouser::internal
