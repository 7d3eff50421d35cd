#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "contact/bbcc/bbcc_system.h"

namespace grouser::internal {

/// Bodies of rovers that are no wheels, against hard ground and what is fixed on it: bbcc again, kept apart from the
/// bodies that a scene names, so that these go on as they would without it. All elements on bodies belong to one group.
///
/// Nothing is nearly always near. As long as no body has moved by more than a margin since the box around it, grown by
/// that margin, was found clear of everything, no contact is looked for.
class ChassisSystem final : public ContactSystem {
 public:
  using Memory = BbccState;
  static constexpr std::string_view kName = "chassis";

  ChassisSystem(std::shared_ptr<const BbccScene> scene, bool is_rigid);

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  ContactMemory initial_memory(const BodyMotions& bodies) const override {
    return inner_.initial_memory(bodies);
  }
  bool fits(const ContactMemory& memory) const override { return inner_.fits(memory); }
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  bool is_rigid() const override { return inner_.is_rigid(); }
  void find_rigid(std::span<const Pose> X_WB, double margin, const ContactMemory& memory,
                  ContactScratch& scratch, RigidContacts& out) const override;
  void commit_rigid(std::span<const RigidPoint> points, std::span<const Wrench> wrenches,
                    ContactMemory& memory) const override {
    inner_.commit_rigid(points, wrenches, memory);
  }
  Commits commits() const override { return inner_.commits(); }
  bool commit(const ContactInput& input, ContactMemory& memory,
              ContactScratch& scratch) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  std::vector<std::string> overlaps(const ContactInput& input, const ContactMemory& memory,
                                    ContactScratch& scratch) const override;
  std::vector<ContactPiece> pieces() const override;
  std::vector<double> save(const ContactMemory& memory) const override {
    return inner_.save(memory);
  }
  ContactMemory load(std::span<const double> numbers) const override {
    return inner_.load(numbers);
  }

 private:
  struct Scratch;

  bool is_clear(std::span<const Pose> X_WB, Scratch& scratch) const;
  bool is_box_clear(int element, const Pose& X_WB) const;

  std::shared_ptr<const BbccScene> scene_;
  BbccSystem inner_;
  std::vector<double>
      reach_;  // per moving element: of its farthest point from the body's origin [m]
};

}  // namespace grouser::internal
