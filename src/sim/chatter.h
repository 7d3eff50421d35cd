#pragma once

#include <string>
#include <vector>

#include "sim/evaluate.h"

namespace grouser::internal {

/// Notices a quantity that swings to and fro from step to step, as forces do that an integrator cannot follow.
class SwingCounter {
 public:
  /// Steps over which swings are counted.
  static constexpr int kWindow = 64;
  /// That many of them are chatter: a swing every other step or more often.
  static constexpr int kMostSwings = 32;

  /// Takes the value after a step; swings below `small` (same unit, > 0) do not count. True once kMostSwings of the
  /// last window were swings.
  bool add(double value, double small);

 private:
  double last_ = 0;    // value where it was noted last
  int direction_ = 0;  // it went since: -1, 0, 1
  int steps_ = 0, swings_ = 0;
};

/// Watches the efforts of servos and what the ground does to bodies over the steps of a run.
class ChatterWatch {
 public:
  explicit ChatterWatch(const World& world);

  /// After a step to q and v, with the targets in the scratch. Adds a warning, once, for each servo that is found to
  /// chatter.
  void look_at_servos(double time, const double* q, const double* v, const WorldScratch& scratch,
                      std::vector<std::string>& warnings);
  /// After a step at the end of which the scratch was evaluated. The same for each body in contact.
  void look_at_contacts(double time, const WorldScratch& scratch,
                        std::vector<std::string>& warnings);

 private:
  const World& world_;
  std::vector<int> bodies_;             // that touch the ground or others
  std::vector<double> weights_;         // of the trees they belong to [N]
  std::vector<SwingCounter> servos_;    // per actuator
  std::vector<SwingCounter> contacts_;  // per body of bodies_
  std::vector<char> servo_told_, contact_told_;
};

}  // namespace grouser::internal
