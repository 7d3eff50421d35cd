#pragma once

#include <string>

namespace grouser::internal {

/// Opens a page in the user's browser, if this machine has a display; returns at once, whether it works or not.
void open_browser(const std::string& address);

/// True if there is a display for a browser to open on.
bool has_display();

}  // namespace grouser::internal
