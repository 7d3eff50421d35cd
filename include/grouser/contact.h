#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <grouser/simulation.h>

namespace grouser {

/// What bodies and ground remember of their contacts: ruts, stuck points, patches. A value: copying it is a snapshot.
class GROUSER_API ContactMemory {
 public:
  ContactMemory();
  ContactMemory(const ContactMemory&);
  ContactMemory(ContactMemory&&) noexcept;
  ContactMemory& operator=(const ContactMemory&);
  ContactMemory& operator=(ContactMemory&&) noexcept;
  ~ContactMemory();

  std::uint64_t hash() const;
  friend GROUSER_API bool operator==(const ContactMemory& a, const ContactMemory& b);

  /// In the format of State::to_bytes(): as the state of a World whose bodies stand where its scene puts them.
  /// Throws Error(usage) if it is that of another World.
  std::vector<std::byte> to_bytes(const World& world) const;
  /// From there, or from any other state of that World. Throws Error(input) as State::from_bytes() does.
  static ContactMemory from_bytes(std::span<const std::byte> bytes, const World& world);

 private:
  friend class Contacts;
  struct Held;
  std::unique_ptr<Held> held_;
};

/// The contacts of a World as force elements for a host with its own multibody code: it gives how all bodies stand and
/// move and is given the loads on them. Masses, joints and motors of the World are not looked at.
///
/// Any number of trial states may be asked for; only commit() writes memory, once per step that the host accepted.
/// Arrays are in the order of World::bodies(), poses in the world, twists and loads at bodies' origins in world axes.
class GROUSER_API Contacts {
 public:
  /// Throws Error(usage) if bodies are rigid, since the host then finds no forces here: their scene needs an
  /// `integrator` with another method than moreau_jean.
  explicit Contacts(World world, const SimulationOptions& options = {});
  Contacts(Contacts&&) noexcept;
  Contacts& operator=(Contacts&&) noexcept;
  ~Contacts();

  const World& world() const;

  /// Starts afresh with bodies that stand there: untouched ground, nothing in contact. Without it they stand where the
  /// scene puts them.
  void begin(double time, std::span<const Pose> poses, std::span<const Twist> twists);
  /// Loads of all contacts on all bodies. Throws Error(usage) if an array is of another length than there are bodies, or a
  /// number is not finite.
  void forces(double time, std::span<const Pose> poses, std::span<const Twist> twists,
              std::span<Wrench> loads);
  /// At an accepted step; time must not run backwards. Returns whether forces changed by that, so that a host of
  /// multistep methods starts afresh.
  bool commit(double time, std::span<const Pose> poses, std::span<const Twist> twists);
  /// When soil moves next by its own clock [s]: commit() there. Infinite if there is no such clock.
  double next_tick() const;

  /// What each contact of World::contacts() feels there, for which forces() need not have been called.
  const std::vector<ContactSample>& sample(double time, std::span<const Pose> poses,
                                           std::span<const Twist> twists);
  /// The ground as bodies have shaped it. Throws Error(usage) where there is none.
  GroundPoint ground_at(double x, double y) const;
  std::vector<double> ground_heights(const GroundWindow& window) const;

  ContactMemory memory() const;
  /// Throws Error(usage) if it is that of another World.
  void restore(const ContactMemory& memory);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser
