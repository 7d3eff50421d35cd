#pragma once

#include <optional>
#include <string_view>

#include "view/server.h"

namespace grouser::internal {

/// A file of the viewer's page by its path: "/" is index.html. Without the built page, "/" says what is missing.
std::optional<Reply> page_file(std::string_view path);

/// False if the program was built without the page.
bool has_page();

}  // namespace grouser::internal
