#include "geometry/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "core/disk.h"
#include "core/error.h"

namespace grouser::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kResultDescriptor = 3;
constexpr int kExitException = 1;
constexpr int kExitOutOfMemory = 2;

// Sanitizers reserve terabytes of addresses. GCC tells by macros, Clang by features.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

/// Addresses in use now [bytes]: threads and shared libraries count, though they cost nothing.
std::uint64_t addresses_in_use() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  if (size <= 0) return 0;
  return std::strtoull(text.data(), nullptr, 10) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource_t what, std::uint64_t amount) {
  rlimit old{};
  if (getrlimit(what, &old) == 0 && old.rlim_max != RLIM_INFINITY) {
    amount = std::min<std::uint64_t>(amount, old.rlim_max);
  }
  const rlimit wanted{amount, amount};
  setrlimit(what, &wanted);
}

void apply(const ChildLimits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds)) + 1);
  if (kLimitsMemory) limit(RLIMIT_AS, addresses_in_use() + limits.memory_bytes);
}

void take_default_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGXCPU, SIGPIPE}) {
    std::signal(signal, SIG_DFL);
  }
  std::signal(SIGINT, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Leaves the pipe as the only open file beside three times nothing.
void close_all_but(int descriptor) {
  const int nothing = open("/dev/null", O_RDWR);
  // Upwards first: the pipe may itself stand on a low number.
  const int result = fcntl(descriptor, F_DUPFD, kResultDescriptor + 1);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  dup2(result, kResultDescriptor);
  close_range(kResultDescriptor + 1, ~0U, 0);
}

[[noreturn]] void run_child(pid_t parent, const ChildLimits& limits, int descriptor,
                            const std::function<void(int)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kExitException);
  take_default_signals();
  close_all_but(descriptor);
  apply(limits);
  try {
    work(kResultDescriptor);
  } catch (const std::bad_alloc&) {
    _exit(kExitOutOfMemory);
  } catch (...) {
    _exit(kExitException);
  }
  _exit(0);  // no destructors, no handlers: they belong to the parent
}

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorKind::io, {.message = std::string(what) + ": " + errno_text(errno)});
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000'000));
}

}  // namespace

ChildProcess::ChildProcess(const ChildLimits& limits, const std::function<void(int)>& work)
    : limits_(limits),
      deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(limits.seconds, 1e6)))) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe to a child process");
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) run_child(parent, limits, ends[1], work);
  const int error = errno;
  close(ends[1]);
  pipe_ = ends[0];
  if (pid_ < 0) {
    close(pipe_);
    errno = error;
    fail("cannot start a child process");
  }
}

ChildProcess::~ChildProcess() {
  close(pipe_);
  reap(true);
}

bool ChildProcess::read(void* to, std::size_t bytes) {
  auto* place = static_cast<char*>(to);
  while (bytes > 0) {
    pollfd waiting{.fd = pipe_, .events = POLLIN, .revents = 0};
    const int ready = poll(&waiting, 1, milliseconds_until(deadline_));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      is_late_ = true;
      return false;
    }
    const ssize_t count = ::read(pipe_, place, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    place += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string ChildProcess::what_happened() {
  reap(is_late_);
  if (is_late_ || (WIFSIGNALED(status_) && WTERMSIG(status_) == SIGXCPU)) {
    return fmt::format("did not finish within {:g} s", limits_.seconds);
  }
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == kExitOutOfMemory) {
    return fmt::format("needed more than {} MB of memory", limits_.memory_bytes >> 20);
  }
  if (WIFSIGNALED(status_)) return fmt::format("crashed on it (signal {})", WTERMSIG(status_));
  return "crashed on it";
}

void ChildProcess::reap(bool kill_first) {
  if (pid_ < 0) return;
  if (kill_first) kill(pid_, SIGKILL);
  // A child that closed its pipe is about to end; one that does not is helped along.
  constexpr int kPatience = 1000;  // ms
  for (int waited = 0; !kill_first && waited < kPatience; ++waited) {
    const pid_t done = waitpid(pid_, &status_, WNOHANG);
    if (done != 0 && !(done < 0 && errno == EINTR)) {
      pid_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool write_all(int descriptor, const void* from, std::size_t bytes) {
  const auto* place = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t count = ::write(descriptor, place, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    place += count;
    bytes -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace grouser::internal
