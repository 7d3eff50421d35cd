#pragma once

#include <span>
#include <string_view>

namespace grouser::internal {

/// A file of the viewer's page that is compiled into the program, compressed by gzip.
struct PageFile {
  std::string_view kind;  ///< folder it was built in
  std::string_view name;  ///< "index.html"
  std::string_view text;  ///< compressed bytes
};

/// All files of the page; none if the program was built without npm. Implemented by a generated source.
std::span<const PageFile> page_files();

}  // namespace grouser::internal
