#include "system/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void become_program(const std::vector<std::string>& arguments, const char* out,
                                 const char* err, long file_limit) {
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  dup2(open(out, flags, 0600), STDOUT_FILENO);
  dup2(open(err, flags, 0600), STDERR_FILENO);
  if (file_limit > 0) {
    const rlimit limit{static_cast<rlim_t>(file_limit), static_cast<rlim_t>(file_limit)};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::signal(SIGINT, SIG_DFL);  // ignored if the tests were started in the background
  std::vector<char*> argv = {const_cast<char*>(GROUSER_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(GROUSER_PROGRAM, argv.data());
  _exit(127);
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, long file_limit) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", err = folder / "err";
  const pid_t process = fork();
  if (process == 0) become_program(arguments, out.c_str(), err.c_str(), file_limit);
  const int code = wait_for(process);
  return {code, read_text(out), read_text(err)};
}

nlohmann::json json_of(const std::vector<std::string>& arguments) {
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

pid_t start_program(const std::vector<std::string>& arguments) {
  const pid_t process = fork();
  if (process == 0) become_program(arguments, "/dev/null", "/dev/null", 0);
  return process;
}

int wait_for(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void wait_for_file(const fs::path& file) {
  for (int i = 0; i < 6000 && !fs::exists(file); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "grouser-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name) << text;
  return (path_ / name).string();
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace grouser::internal
