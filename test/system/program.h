#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Runs the built program as a user would.
namespace grouser::internal {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal if it was killed
  std::string out, err;
};

/// Waits for the program. `file_limit` > 0 limits the size of files it may write [bytes].
ProgramResult run_program(const std::vector<std::string>& arguments, long file_limit = 0);

/// What the program prints as its last line with --json; expects that it succeeds.
nlohmann::json json_of(const std::vector<std::string>& arguments);

/// Starts the program with its output discarded; the caller waits for the process.
pid_t start_program(const std::vector<std::string>& arguments);

/// Waits for a started program and returns its exit code.
int wait_for(pid_t process);

/// Waits until a started program has made the file, a minute at most: on a busy machine it takes its time to start.
void wait_for_file(const std::filesystem::path& file);

/// A fresh folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Writes a text file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& file);

}  // namespace grouser::internal
