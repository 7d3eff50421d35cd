#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "contact/bbcc/bbcc_force.h"
#include "contact/contact_system.h"

namespace grouser::internal {

/// All convex bodies of a world that touch each other or hard ground. They give way by the laws of BBCC, or are rigid:
/// then it says where they touch, and time stepping finds the forces.
class BbccSystem final : public ContactSystem {
 public:
  using Memory = BbccState;
  static constexpr std::string_view kName = "bbcc";

  BbccSystem(std::shared_ptr<const BbccScene> scene, bool is_rigid)
      : scene_(std::move(scene)), is_rigid_(is_rigid) {}

  const BbccScene& scene() const { return *scene_; }

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  ContactMemory initial_memory(const BodyMotions& bodies) const override;
  bool fits(const ContactMemory& memory) const override { return memory.holds<BbccState>(); }
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  bool is_rigid() const override { return is_rigid_; }
  /// At most four points of each pair: those that span most of its patch.
  void find_rigid(std::span<const Pose> X_WB, double margin, const ContactMemory& memory,
                  ContactScratch& scratch, RigidContacts& out) const override;
  void commit_rigid(std::span<const RigidPoint> points, std::span<const Wrench> wrenches,
                    ContactMemory& memory) const override;
  Commits commits() const override { return is_rigid_ ? Commits::never : Commits::each_step; }
  /// Pairs remember how fast they closed.
  bool commit(const ContactInput& input, ContactMemory& memory,
              ContactScratch& scratch) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  /// Pairs that begin deeper in each other than bodies that touch do: they will be thrown apart.
  std::vector<std::string> overlaps(const ContactInput& input, const ContactMemory& memory,
                                    ContactScratch& scratch) const override;
  /// Wheels that lose nothing when they bounce.
  std::vector<std::string> warnings(const ContactUse& use) const override;
  std::vector<ContactPiece> pieces() const override;
  std::vector<double> save(const ContactMemory& memory) const override;
  ContactMemory load(std::span<const double> numbers) const override;

 private:
  struct Scratch;

  void find_forces(const BodyMotions& bodies, const ContactMemory& memory, Scratch& scratch) const;
  std::span<const OverlappingPair> find_places(std::span<const Pose> X_WB, Scratch& scratch) const;
  void gather_pressed(const BbccState& state, std::span<GatheredReading> elements) const;
  void gather_compliant(const BbccForce& force, std::span<GatheredReading> elements) const;

  std::shared_ptr<const BbccScene> scene_;
  bool is_rigid_;
};

}  // namespace grouser::internal
