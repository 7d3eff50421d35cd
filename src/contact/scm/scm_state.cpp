#include "contact/scm/scm_state.h"

namespace grouser {

void ScmState::hash(Hasher& hasher) const {
  hasher.f64(updated);
  hasher.f64(updates);
  hasher.f64(soil.displaced);
  hasher.u64(soil.memory.hash());
  for (const ScmBodyMemory& body : bodies) body.hash(hasher);
}

}  // namespace grouser
