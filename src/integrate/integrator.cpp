#include "integrate/integrator.h"

#include <stdexcept>

namespace grouser::internal {

const char* to_string(IntegrationMethod method) {
  constexpr const char* kNames[] = {"rk4", "semi_implicit", "esdirk",
                                    "bdf", "adams",         "moreau_jean"};
  return kNames[static_cast<int>(method)];
}

std::unique_ptr<Integrator> make_integrator(const IntegratorOptions& options, OdeSystem& system) {
  switch (options.method) {
    case IntegrationMethod::rk4:
      return make_rk4(options, system);
    case IntegrationMethod::semi_implicit:
      return make_semi_implicit(options, system);
    case IntegrationMethod::esdirk:
      return make_esdirk(options, system);
    case IntegrationMethod::bdf:
    case IntegrationMethod::adams:
      break;
    case IntegrationMethod::moreau_jean:
      throw std::logic_error("moreau_jean is not a method for differential equations");
  }
  return make_cvode(options, system);
}

}  // namespace grouser::internal
