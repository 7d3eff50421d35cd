#include "integrate/sundials_common.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace grouser {

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

void sundials_error(int, const char*, const char*, char* message, void* user) {
  static_cast<SundialsUser*>(user)->message = message;
}

void check_sundials(int flag, const SundialsUser& user, double time) {
  if (flag >= 0) return;
  throw Error(ErrorKind::diverged,
              {.message = fmt::format("the integrator gave up at t = {} s: {}", time,
                                      user.message.empty() ? "no reason given" : user.message)});
}

}  // namespace grouser
