#include "support/leak_checks.h"

namespace {
int skips_leak_checks = 0;
}  // namespace

// Asked by the leak sanitizer before it looks.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return skips_leak_checks; }

void grouser::internal::skip_leak_checks() { skips_leak_checks = 1; }
