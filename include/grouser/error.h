#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Marks what libgrouser.so shows.
#define GROUSER_API __attribute__((visibility("default")))

/// Contact dynamics and terramechanics for planetary rovers. SI units and radians throughout; world axes have z up.
namespace grouser {

/// Version of the library, "major.minor.patch".
GROUSER_API std::string_view version();

/// What went wrong, by who can act on it. The value is the program's exit code.
enum class ErrorKind {
  usage = 1,     ///< a call or command line is wrong
  input = 2,     ///< a scene, model or asset is wrong
  diverged = 3,  ///< the simulation left the finite numbers
  io = 4,        ///< a file could not be read or written
};

/// One finding about one place of an input. Every field but `message` may be empty.
struct Issue {
  std::string message;  ///< what is wrong, as a sentence without a full stop
  std::string file;     ///< path as the user gave it
  int line = 0;         ///< 1-based; 0 = unknown
  std::string field;    ///< path of the field, e.g. "models[0].joints.hip.damping"
  std::string value;    ///< what was found
  std::string legal;    ///< what would have been legal, e.g. ">= 0 [N m s/rad]"
};

/// "scene.yaml:12: models[0].mass: must be positive (got -3, legal: > 0 [kg])"
GROUSER_API std::string to_string(const Issue& issue);

/// The only exception of the library for bad input, divergence and file trouble. Carries every finding, so that a
/// user can mend a file in one go.
class GROUSER_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, Issue issue);
  Error(ErrorKind kind, std::vector<Issue> issues);

  ErrorKind kind() const { return kind_; }
  const std::vector<Issue>& issues() const { return issues_; }

 private:
  ErrorKind kind_;
  std::vector<Issue> issues_;
};

}  // namespace grouser
