#include "contact/scm/scm_force.h"

namespace grouser::internal {

void CellLoads::resize(std::size_t count) {
  for (std::vector<double>* values :
       {&sinkage, &pressure, &shear_x, &shear_y, &force_x, &force_y, &force_z}) {
    values->resize(count);
  }
}

void ScmScratch::Cells::resize(std::size_t count) {
  for (std::vector<double>* values :
       {&x,        &y,        &z,       &stretch,      &area,    &deepest,   &stiffness,
        &exponent, &cohesion, &modulus, &tan_friction, &sheared, &mobilised, &yields,
        &undamped, &along_x,  &along_y, &along_z,      &base,    &power,     &value}) {
    values->resize(count);
  }
}

}  // namespace grouser::internal
