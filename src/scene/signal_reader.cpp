#include "scene/signal_reader.h"

#include <fmt/format.h>

#include <limits>

namespace grouser::internal {
namespace {

constexpr std::pair<std::string_view, TableCurve> kInterpolations[] = {
    {"hold", TableCurve::hold},
    {"linear", TableCurve::linear},
    {"smooth", TableCurve::smooth},
};

constexpr double kMinSpacing = 1e-9;  // [s]: closer points would make slopes without bounds

bool check_times(const YamlValue& times, const std::vector<double>& numbers, IssueList& issues) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] >= numbers[i - 1] + kMinSpacing) continue;
    issues.add(issue_at(times.items[i].place, "times must increase", times.items[i].shown(),
                        fmt::format("> {:g} [s]", numbers[i - 1])));
    return false;
  }
  return true;
}

std::optional<Signal> read_table(MapReader& map, const Range& range, double scale) {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  const YamlValue* times = map.require("times");
  const YamlValue* values = map.require("values");
  TableSignal table;
  table.curve =
      map.choice<TableCurve>("interpolation", kInterpolations).value_or(TableCurve::linear);
  if (times == nullptr || values == nullptr) return std::nullopt;
  const auto time = read_numbers(*times, ranges::kTime, 1, kAny, map.issues());
  const auto value = read_numbers(*values, range, 1, kAny, map.issues());
  if (!time || !value || !check_times(*times, *time, map.issues())) return std::nullopt;
  if (time->size() != value->size()) {
    map.issues().add(issue_at(values->place, "needs one value per time", values->shown(),
                              fmt::format("{} values", time->size())));
    return std::nullopt;
  }
  table.time = *time;
  for (const double number : *value) table.value.push_back(number * scale);
  Signal signal = std::move(table);
  prepare(signal);
  return signal;
}

std::optional<Signal> read_sine(const YamlValue& value, const Range& range, double scale,
                                IssueList& issues) {
  MapReader map(value, issues);
  SineSignal sine;
  sine.amplitude = map.required_number("amplitude", range).value_or(0) * scale;
  sine.frequency_hz = map.required_number("frequency_hz", ranges::kFrequency).value_or(0);
  sine.phase = map.angle("phase", ranges::kPhase).value_or(0);
  sine.offset = map.number("offset", range, 0) * scale;
  map.finish();
  return sine;
}

}  // namespace

std::optional<Signal> read_signal(const YamlValue& value, const Range& range, double scale,
                                  IssueList& issues) {
  if (value.kind != YamlValue::Kind::map) {
    const auto number = read_number(value, range, issues);
    if (!number) return std::nullopt;
    return ConstantSignal{*number * scale};
  }
  MapReader map(value, issues);
  const YamlValue* sine = map.find("sine");
  auto signal =
      sine != nullptr ? read_sine(*sine, range, scale, issues) : read_table(map, range, scale);
  map.finish();
  return signal;
}

}  // namespace grouser::internal
