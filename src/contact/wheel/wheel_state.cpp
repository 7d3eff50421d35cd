#include "contact/wheel/wheel_state.h"

namespace grouser {

void WheelMemory::read(const double* slots) {
  *this = {.sunk = slots[0],
           .dug = slots[1],
           .shear = Vec2(slots[2], slots[3]),
           .rim = slots[4],
           .bow = Vec2(slots[5], slots[6]),
           .held = Vec2(slots[7], slots[8]),
           .sliding = slots[9],
           .slow = slots[10]};
}

void WheelMemory::write(double* slots) const {
  const double all[kSize] = {sunk,    dug,      shear.x(), shear.y(), rim, bow.x(),
                             bow.y(), held.x(), held.y(),  sliding,   slow};
  for (std::size_t k = 0; k < kSize; ++k) slots[k] = all[k];
}

}  // namespace grouser
