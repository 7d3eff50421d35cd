#pragma once

namespace grouser::internal {

/// Turns the leak sanitizer off for the rest of this process. For children that end through exit(): the sanitizer would
/// report what belongs to the threads of the parent, which a child does not have. Does nothing in other builds.
void skip_leak_checks();

}  // namespace grouser::internal
