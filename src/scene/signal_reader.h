#pragma once

#include <optional>

#include "scene/yaml_reader.h"
#include "sim/signal.h"

namespace grouser::internal {

/// Reads a signal: a number, a table {times, values, interpolation} or {sine: {amplitude,
/// frequency_hz, phase, offset}}. Its values lie in `range`; `scale` converts them to SI.
std::optional<Signal> read_signal(const YamlValue& value, const Range& range, double scale,
                                  IssueList& issues);

}  // namespace grouser::internal
