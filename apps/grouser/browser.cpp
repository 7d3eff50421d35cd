#include "browser.h"

#include <spawn.h>

#include <cstdlib>

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace grouser::internal {

bool has_display() {
  const char* x11 = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  return (x11 != nullptr && *x11 != '\0') || (wayland != nullptr && *wayland != '\0');
}

void open_browser(const std::string& address) {
  if (!has_display()) return;
  // Through a shell in the background: nobody waits for the browser, nor is its chatter shown.
  const char* const command = "xdg-open \"$1\" >/dev/null 2>&1 &";
  const char* const words[] = {"sh", "-c", command, "sh", address.c_str(), nullptr};
  pid_t child = 0;
  posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char* const*>(words), environ);
}

}  // namespace grouser::internal
