#include "contact/contact_system.h"

namespace grouser::internal {

ContactMemory ContactSystem::load(std::span<const double> numbers) const {
  if (!numbers.empty()) throw DamagedMemory("it remembers what there is no memory for");
  return {};
}

}  // namespace grouser::internal
