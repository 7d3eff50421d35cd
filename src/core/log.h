#pragma once

#include <functional>
#include <string_view>

namespace grouser::internal {

enum class LogLevel { debug, info, warning, error };

/// "debug", "info", "warning" or "error".
std::string_view to_string(LogLevel level);

using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Hands one message, without a line break at its end, to the sink. May be called by any thread;
/// the sink sees one message at a time.
void log(LogLevel level, std::string_view message);

/// Replaces the sink. An empty function restores the default: info and above to standard error.
/// A sink must not itself log or replace the sink.
void set_log_sink(LogSink sink);

}  // namespace grouser::internal
