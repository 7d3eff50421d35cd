#include "contact/scm/scm_force.h"

namespace grouser {

void ScmScratch::Cells::resize(std::size_t count) {
  for (std::vector<double>* values :
       {&x,       &y,         &z,         &slope_x,  &slope_y, &stretch,      &area,     &sinkage,
        &deepest, &stiffness, &exponent,  &cohesion, &modulus, &tan_friction, &pressure, &shear_x,
        &shear_y, &sheared,   &mobilised, &yields,   &along_x, &along_y,      &along_z,  &force_x,
        &force_y, &force_z,   &base,      &power,    &value}) {
    values->resize(count);
  }
}

}  // namespace grouser
