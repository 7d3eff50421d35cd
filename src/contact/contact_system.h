#pragma once

#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "contact/body_motions.h"
#include "contact/contact_memory.h"
#include "contact/contact_sample.h"
#include "contact/rigid_contact.h"
#include "terrain/elevation_map.h"

namespace grouser::internal {

/// Bodies at an instant, and what they stand on.
struct ContactInput {
  double time = 0;  ///< [s]
  BodyMotions bodies;
  const ElevationMap* ground = nullptr;  ///< as it is now, ruts included; or nothing
};

/// What forces are wanted for.
enum class Purpose {
  step,       ///< a trial state of a step: wrenches alone, at the least cost
  stiffness,  ///< ContactSystem::stiffness() will be asked next
  look,       ///< ContactSystem::sample() will be asked next; leaves no trace in the report
};

/// How the wrench on a body resists its motion, θ h C + θ² h² K of an implicit step with damping C and stiffness K:
/// about its reference point (BodyMotions), angular before linear, axes of W.
struct BodyStiffness {
  int body = 0;
  Mat6 matrix = Mat6::Zero();
};

/// The same between two bodies, about a point.
struct PairStiffness {
  int body_a = 0, body_b = 0;
  Vec3 p_W = Vec3::Zero();  ///< [m]
  Mat6 matrix = Mat6::Zero();
};

struct ContactStiffness {
  std::vector<BodyStiffness> bodies;  ///< against what is fixed
  std::vector<PairStiffness> pairs;

  void clear() {
    bodies.clear();
    pairs.clear();
  }
};

enum class GroundContact { none, hard, soil };

/// A shape by which a body touches others or the ground.
struct ContactElementInfo {
  std::string name;   ///< empty: that of its wheel or body
  std::string model;  ///< "scm"; of wheels "terra", ...
  int body = 0;
  GroundContact ground = GroundContact::none;  ///< what ground it may touch
};

/// Something that a system has, to compare it with that of a checkpoint: "contact mesh", of a body or of none (-1).
struct ContactPiece {
  std::string what;
  int body = -1;
};

/// A wheel of a rover, as far as warnings go by it.
struct WheelUse {
  std::string rover;
  int body = 0;
  double radius = 0, width = 0;  ///< [m]
  double load = 0;               ///< of the rover, shared by its wheels [N]
};

/// In what a system is used.
struct ContactUse {
  std::span<const WheelUse> wheels;
  double gravity = 0;  ///< [m/s²], >= 0
};

/// Work space of a system, and what it counts for its report; one per simulation.
struct ContactScratch {
  virtual ~ContactScratch() = default;
};

/// Numbers that a memory cannot have been saved as.
class DamagedMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// When a system's memory changes.
enum class Commits {
  never,
  each_step,  ///< at every accepted step
  on_grid,  ///< at points of the step grid; without a grid where the run stops, e.g. at next_tick()
};

/// All that lets bodies touch by one model: immutable, shared by threads. Forces are pure functions of the bodies'
/// motions and of the memory; only commits write memory.
///
/// A host with its own multibody code makes memory and scratch, asks for wrenches at as many trial states as it
/// likes, and commits once per accepted step.
class ContactSystem {
 public:
  virtual ~ContactSystem() = default;

  virtual std::string_view name() const = 0;
  /// All that are on bodies, in the order of sample().
  virtual std::vector<ContactElementInfo> elements() const = 0;

  virtual std::unique_ptr<ContactScratch> make_scratch() const = 0;
  /// Before anything touched.
  virtual ContactMemory initial_memory(const BodyMotions&) const { return {}; }
  /// Whether it is one of this system.
  virtual bool fits(const ContactMemory&) const { return true; }

  /// Adds the wrenches on bodies (at their origins, axes of W). Where bodies are rigid: those of the last step.
  virtual void evaluate(const ContactInput&, const ContactMemory&, Purpose, ContactScratch&,
                        std::span<Wrench> wrenches) const = 0;
  /// After evaluate() for Purpose::stiffness. `reach` is θ h [s].
  virtual void stiffness(const ContactInput&, const ContactMemory&, double /*reach*/,
                         ContactScratch&, ContactStiffness&) const {}
  /// After evaluate(): whether forces may set in or end within a step from there.
  virtual bool may_jump(const ContactScratch&) const { return false; }

  /// Whether bodies do not give way: time stepping then asks where they touch, and finds the forces.
  virtual bool is_rigid() const { return false; }
  /// Adds where bodies overlap. They rest when they overlap by `margin` [m]. Wrenches begin as those of the last step.
  virtual void find_rigid(std::span<const Pose> /*X_WB*/, double /*margin*/, const ContactMemory&,
                          ContactScratch&, RigidContacts&) const {}
  /// After an accepted step: the forces that were found [N], [N m].
  virtual void commit_rigid(std::span<const RigidPoint>, std::span<const Wrench>,
                            ContactMemory&) const {}

  virtual Commits commits() const { return Commits::never; }
  /// At an accepted step. Returns whether forces changed by that: else they go on as they were.
  virtual bool commit(const ContactInput&, ContactMemory&, ContactScratch&) const { return false; }
  /// When its own clock ticks next [s]: runs stop there.
  virtual double next_tick(const ContactMemory&) const {
    return std::numeric_limits<double>::infinity();
  }

  /// Whether bodies change the shape of the ground.
  virtual bool shapes_ground() const { return false; }
  /// The ground as they left it, if they do.
  virtual const ElevationMap* ground(const ContactMemory&) const { return nullptr; }

  /// After evaluate(): force of all contacts on a body, axes of W [N].
  virtual Vec3 force_on(int body, const ContactMemory&, const ContactScratch&) const = 0;
  /// The same: how deep it stands in the ground [m].
  virtual double sinkage_of(int /*body*/, const ContactScratch&) const { return 0; }
  /// After evaluate() for Purpose::look: adds a reading per element.
  virtual void sample(const ContactInput&, const ContactMemory&, const ContactScratch&,
                      std::vector<ContactReading>& out) const = 0;
  /// The same: adds the cells of the ground under its bodies.
  virtual void sample_cells(const ContactScratch&, std::vector<SoilCellSample>&) const {}

  /// What it can tell of an instant beside its readings.
  virtual std::vector<ContactTable> tables() const { return {}; }
  /// After evaluate() for Purpose::look: adds the rows of one of these tables, cell after cell.
  virtual void sample_table(std::size_t /*table*/, const ContactScratch&,
                            std::vector<TableCell>&) const {}

  /// Before the first step: what is wrong with how bodies stand there.
  virtual std::vector<std::string> overlaps(const ContactInput&, const ContactMemory&,
                                            ContactScratch&) const {
    return {};
  }
  /// What is wrong with how it is used.
  virtual std::vector<std::string> warnings(const ContactUse&) const { return {}; }
  virtual void report(const ContactMemory&, const ContactScratch&, ContactReport&) const {}

  /// What must be the same where a memory is used again.
  virtual std::vector<ContactPiece> pieces() const = 0;
  /// All of a memory as numbers.
  virtual std::vector<double> save(const ContactMemory&) const { return {}; }
  /// Back again. Throws DamagedMemory if they cannot be that.
  virtual ContactMemory load(std::span<const double> numbers) const;
};

/// Systems of a world, in the order in which their forces are summed.
using ContactSystems = std::vector<std::shared_ptr<const ContactSystem>>;

}  // namespace grouser::internal
