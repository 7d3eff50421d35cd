#pragma once

#include <vector>

#include "contact/bbcc/bbcc_system.h"
#include "grouser/scene.h"
#include "sim/simulate.h"

/// What the verification of body contact runs: bodies on a slab, a tower, an obstacle course.
namespace grouser::internal {

/// Table 1 of the paper.
struct BbccTable1 {
  static constexpr double kRadius = 0.5, kLength = 1;  ///< [m]
  static constexpr double kInertia = 0.25;             ///< [kg m²], of 1 kg
  static constexpr double kYoung = 4.5e5;              ///< [Pa]
  static constexpr double kPoisson = 0.4, kFriction = 0.4;
  static constexpr double kGravity = 9.81;   ///< [m/s²]
  static constexpr double kDeadBand = 0.01;  ///< [m/s]
};

/// A round body of 1 kg on a slab, its axle along y, its lowest line on z = 0.
struct Roller {
  Map shape{{"cylinder", Map{{"radius", 0.5}, {"length", 1}}}};
  bool rotates = true;
  Map integrator{{"method", "bdf"},
                 {"relative_tolerance", 1e-9},
                 {"absolute_tolerance", 1e-12},
                 {"max_step", 0.01}};
  double rate_hz = 100;  ///< of samples
  double restitution = 0.6;
  double friction = BbccTable1::kFriction;
  Map material;        ///< more fields of it
  double incline = 0;  ///< by which gravity leans towards x [rad]
  double gravity = BbccTable1::kGravity;
  double height = 0;          ///< above the slab [m]
  Vec3 v = Vec3::Zero();      ///< [m/s]
  Vec3 w = Vec3::Zero();      ///< [rad/s]
  bool single_point = false;  ///< as in the paper

  World world() const;
};

/// One that slides or rolls on the slab, begun at the depth of rest.
Roller resting_roller(double incline = 0);

/// How far a body at rest sinks in, by Hertz' law [m].
double static_depth(double normal_force);

/// Force [N] by which one solid is pressed up by another, fixed in W, both at rest.
double pressed_force(const Convex& above, const Pose& X_WA, const Convex& below);

/// Motion of the last body over time.
class Track : public Observer {
 public:
  struct Point {
    double time;
    Twist V;
    Vec3 p;
  };

  Track(const World& world, double end) {
    simulate(world, initial_state(world), {.end_time = end}, *this);
  }
  void on_sample(const Sample& sample) override {
    points_.push_back({sample.time, sample.V_WB.back(), sample.X_WB.back().p});
  }

  const std::vector<Point>& points() const { return points_; }
  /// The first sample not before a time.
  const Twist& at(double time) const;
  const Twist& end() const { return points_.back().V; }

 private:
  std::vector<Point> points_;
};

/// Ten boxes of 0.2 x 0.2 x 0.1 m and 1 kg on a slab, their faces touching.
struct Tower {
  Map integrator{{"method", "semi_implicit"}, {"step", 2.5e-5}};
  bool single_point = false;  ///< as in the paper

  World world() const;
};

/// Pairs of parts while a rover climbs over the obstacle course for 40 s.
class PairCount : public Observer {
 public:
  explicit PairCount(const World& world);
  void on_sample(const Sample& sample) override;

  struct Point {
    double time, candidates, touching;
    Vec3 chassis;  ///< [m]
  };

  std::size_t rover = 0, obstacles = 0;  ///< parts
  std::vector<Point> points;

 private:
  const BbccScene& scene_;
  BbccScratch scratch_;
  std::vector<Pose> X_WE_;
};

/// Run once.
const PairCount& parcours_count();

}  // namespace grouser::internal
