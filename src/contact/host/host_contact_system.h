#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"
#include "contact/host/host_contact.h"

namespace grouser::internal {

/// Rigid contacts that a host finds itself: it gives the points, time stepping finds the forces. Works beside other
/// systems, and without any collision detection of ours. Each body has one sensor, which feels all its contacts.
///
/// As of all rigid bodies, bodies rest when they overlap by the margin of the integrator: a host that reports overlap
/// alone then reports them again in the next step.
class HostContactSystem final : public ContactSystem {
 public:
  using Memory = HostContactState;
  static constexpr std::string_view kName = "host";

  /// For worlds of so many bodies.
  explicit HostContactSystem(int body_count) : body_count_(body_count) {}

  /// Replaces all contacts. A contact of the same bodies as the one in its place before begins the next step with that
  /// one's force. Throws Error(usage) naming all that is wrong with them, and changes nothing then. Allocates only if
  /// there are more than ever before.
  void set(std::span<const HostContact> contacts, std::span<const Pose> X_WB,
           HostContactState& state) const;

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  ContactMemory initial_memory(const BodyMotions& bodies) const override;
  bool fits(const ContactMemory& memory) const override;
  /// The forces of the last step.
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  bool is_rigid() const override { return true; }
  /// All contacts, in the order of supply, however far their bodies are apart.
  void find_rigid(std::span<const Pose> X_WB, double margin, const ContactMemory& memory,
                  ContactScratch& scratch, RigidContacts& out) const override;
  void commit_rigid(std::span<const RigidPoint> points, std::span<const Wrench> wrenches,
                    ContactMemory& memory) const override;
  Commits commits() const override { return Commits::each_step; }
  /// Where forces act in the next step goes by the poses at its beginning.
  bool commit(const ContactInput& input, ContactMemory& memory,
              ContactScratch& scratch) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  /// Depths are those of the host's gaps, moved along with the bodies.
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  std::vector<ContactPiece> pieces() const override;
  std::vector<double> save(const ContactMemory& memory) const override;
  ContactMemory load(std::span<const double> numbers) const override;

 private:
  int body_count_;
};

}  // namespace grouser::internal
