#include "text_files.h"

#include <system_error>

#include "core/disk.h"
#include "core/error.h"

namespace grouser::internal {

std::vector<std::string> write_texts(const std::filesystem::path& folder,
                                     const std::vector<NamedText>& files) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::io,
                {.message = "cannot make the folder: " + error.message(), .file = folder.string()});
  }
  std::vector<std::string> paths;
  for (const NamedText& file : files) {
    paths.push_back((folder / file.name).string());
    AtomicFile output(paths.back());
    output.write(file.text);
    output.commit();
  }
  return paths;
}

}  // namespace grouser::internal
