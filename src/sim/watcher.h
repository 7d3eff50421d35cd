#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/evaluate.h"
#include "sim/sample.h"
#include "sim/watch_memory.h"

namespace grouser::internal {

/// What watchers look at: an instant at which forces were found.
struct WatchInput {
  const World& world;
  const State& committed;               ///< what is remembered
  const WorldScratch& scratch;          ///< kinematics, targets and forces of the instant
  std::span<const WheelSample> wheels;  ///< of all rovers, in order; none in worlds without
  const VecX& efforts;                  ///< per actuator [N m] or [N]
  double time = 0;                      ///< [s]
  double since = 0;                     ///< time since the last look [s]
};

/// Takes down what one watcher sees.
class AlarmBell {
 public:
  AlarmBell(AlarmKind kind, const WatchInput& input, std::vector<RungAlarm>& rung)
      : kind_(static_cast<int>(kind)), input_(input), rung_(rung) {}

  /// It is so for this subject now. A `value` larger than the one noted replaces it, with its detail.
  void ring(int subject, double value, double detail = 0);
  /// The same, where the newest value counts.
  void ring_anew(int subject, double value, double detail = 0);
  /// It is not so, but if it once was, this is the value now.
  void note(int subject, double value);

 private:
  RungAlarm* find(int subject);
  RungAlarm& take(int subject, double value, double detail);

  int kind_;
  const WatchInput& input_;
  std::vector<RungAlarm>& rung_;
};

/// Looks for one kind of alarm at the ticks of the watch's clock. Immutable: what it remembers are numbers in the State,
/// zero before the first look.
class Watcher {
 public:
  explicit Watcher(AlarmKind kind) : kind_(kind) {}
  virtual ~Watcher() = default;

  AlarmKind kind() const { return kind_; }
  virtual std::size_t memory_size() const { return 0; }
  /// Alarms are about subjects 0, 1, ... below this.
  virtual std::size_t subject_count() const = 0;
  virtual void look(const WatchInput& input, std::span<double> memory, AlarmBell& bell) const = 0;
  /// Of an alarm of its kind: what it is about, and a sentence.
  virtual std::string subject(const RungAlarm& alarm) const = 0;
  virtual std::string message(const RungAlarm& alarm) const = 0;
  /// What can be said only once the run is over.
  virtual void finish(const World&, const State&, std::span<const double> /*memory*/,
                      std::vector<Alarm>&) const {}

 private:
  AlarmKind kind_;
};

using Watchers = std::vector<std::unique_ptr<const Watcher>>;

/// Adds those that a world needs, by its options: of how rovers stand on the ground, of how they drive, of servos, and of
/// paths. The World must outlive them.
void add_stance_watchers(const World& world, Watchers& out);
void add_drive_watchers(const World& world, Watchers& out);
void add_servo_watchers(const World& world, Watchers& out);
void add_path_watchers(const World& world, Watchers& out);

}  // namespace grouser::internal
