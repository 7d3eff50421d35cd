#include "sim/watch.h"

#include <algorithm>
#include <cassert>

#include "core/index.h"

namespace grouser::internal {

RungAlarm* AlarmBell::find(int subject) {
  for (RungAlarm& alarm : rung_) {
    if (alarm.kind == kind_ && alarm.subject == subject) return &alarm;
  }
  return nullptr;
}

RungAlarm& AlarmBell::take(int subject, double value, double detail) {
  const double now = input_.time;
  if (RungAlarm* known = find(subject)) {
    known->last_time = now;
    known->duration += input_.since;
    return *known;
  }
  rung_.push_back({.kind = kind_,
                   .subject = subject,
                   .time = now,
                   .last_time = now,
                   .value = value,
                   .detail = detail});
  return rung_.back();
}

void AlarmBell::ring(int subject, double value, double detail) {
  RungAlarm& alarm = take(subject, value, detail);
  if (value <= alarm.value) return;
  alarm.value = value;
  alarm.detail = detail;
}

void AlarmBell::ring_anew(int subject, double value, double detail) {
  RungAlarm& alarm = take(subject, value, detail);
  alarm.value = value;
  alarm.detail = detail;
}

void AlarmBell::note(int subject, double value) {
  if (RungAlarm* known = find(subject)) known->value = value;
}

Watch::Watch(const World& world) : world_(world) {
  add_stance_watchers(world, watchers_);
  add_drive_watchers(world, watchers_);
  add_servo_watchers(world, watchers_);
  add_path_watchers(world, watchers_);
  for (const auto& watcher : watchers_) numbers_ += watcher->memory_size();
}

void Watch::lay_out(WatchMemory& memory) const {
  if (memory.numbers.empty()) memory.numbers.assign(numbers_, 0);
}

bool Watch::fits(const WatchMemory& memory) const {
  return memory.numbers.size() == numbers_ &&
         std::ranges::all_of(memory.rung, [&](const RungAlarm& alarm) {
           return std::ranges::any_of(watchers_, [&](const auto& watcher) {
             return static_cast<int>(watcher->kind()) == alarm.kind &&
                    at(alarm.subject) < watcher->subject_count();
           });
         });
}

bool Watch::is_due(const WatchMemory& memory, double time) const {
  return !watchers_.empty() && clock().is_due(memory.ticks, time);
}

bool Watch::look(const WatchInput& input, WatchMemory& memory) const {
  const std::size_t before = memory.rung.size();
  std::size_t first = 0;
  for (const auto& watcher : watchers_) {
    const std::span<double> numbers(memory.numbers.data() + first, watcher->memory_size());
    first += numbers.size();
    if (action_of(world_.watch, watcher->kind()) == WatchAction::off) continue;
    AlarmBell bell(watcher->kind(), input, memory.rung);
    watcher->look(input, numbers, bell);
  }
  memory.looked = input.time;
  memory.ticks = clock().first_tick_from(input.time);
  if (clock().is_due(memory.ticks, input.time)) ++memory.ticks;
  return std::any_of(memory.rung.begin() + static_cast<std::ptrdiff_t>(before), memory.rung.end(),
                     [&](const RungAlarm& alarm) {
                       return action_of(world_.watch, static_cast<AlarmKind>(alarm.kind)) ==
                              WatchAction::stop;
                     });
}

const Watcher& Watch::watcher_of(const RungAlarm& alarm) const {
  const auto found = std::ranges::find_if(watchers_, [&](const auto& watcher) {
    return static_cast<int>(watcher->kind()) == alarm.kind;
  });
  assert(found != watchers_.end());
  return **found;
}

std::vector<Alarm> Watch::alarms(const State& state, bool is_over) const {
  std::vector<Alarm> alarms;
  for (const RungAlarm& rung : state.watch.rung) {
    const Watcher& watcher = watcher_of(rung);
    alarms.push_back({.kind = watcher.kind(),
                      .body = watcher.subject(rung),
                      .time = rung.time,
                      .last_time = rung.last_time,
                      .duration = rung.duration,
                      .message = watcher.message(rung)});
  }
  std::size_t first = 0;
  for (const auto& watcher : watchers_) {
    const std::span<const double> numbers(state.watch.numbers.data() + first,
                                          watcher->memory_size());
    first += numbers.size();
    if (!is_over || action_of(world_.watch, watcher->kind()) == WatchAction::off) continue;
    watcher->finish(world_, state, numbers, alarms);
  }
  return alarms;
}

}  // namespace grouser::internal
