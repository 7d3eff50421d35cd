#include "core/log.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

void write_to_stderr(LogLevel level, std::string_view message) {
  if (level < LogLevel::info) return;
  const std::string line = level == LogLevel::info
                               ? fmt::format("{}\n", message)
                               : fmt::format("{}: {}\n", to_string(level), message);
  // One call per line, so that lines of other writers do not get in between.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

struct Log {
  std::mutex mutex;
  LogSink sink = write_to_stderr;
};

Log& instance() {
  static Log log;
  return log;
}

}  // namespace

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  return "unknown";
}

void log(LogLevel level, std::string_view message) {
  Log& log = instance();
  const std::lock_guard lock(log.mutex);
  log.sink(level, message);
}

void set_log_sink(LogSink sink) {
  if (!sink) sink = write_to_stderr;
  Log& log = instance();
  const std::lock_guard lock(log.mutex);
  log.sink = std::move(sink);
}

}  // namespace grouser::internal
