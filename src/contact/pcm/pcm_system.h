#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"
#include "contact/pcm/pcm_force.h"

namespace grouser::internal {

/// All meshes of a world that may touch, by PCM. They remember nothing.
class PcmSystem final : public ContactSystem {
 public:
  static constexpr std::string_view kName = "pcm";

  explicit PcmSystem(PcmScene scene) : scene_(std::move(scene)) {}

  const PcmScene& scene() const { return scene_; }
  /// Contacts with pressure and slip of each element, after evaluate() in a scratch of this system.
  const PcmForce& force(const ContactScratch& scratch) const;

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  void stiffness(const ContactInput& input, const ContactMemory& memory, double reach,
                 ContactScratch& scratch, ContactStiffness& out) const override;
  /// If meshes are near each other.
  bool may_jump(const ContactScratch& scratch) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  /// The patches: where each contact element is, its area, depth, pressure and slip.
  std::vector<ContactTable> tables() const override;
  void sample_table(std::size_t table, const ContactScratch& scratch,
                    std::vector<TableCell>& out) const override;
  std::vector<std::string> warnings(const ContactUse& use) const override;
  /// How deep each pair got, and a warning for each that came near or to the end of its penetration lines, beyond
  /// which contact is lost.
  void report(const ContactMemory& memory, const ContactScratch& scratch,
              ContactReport& out) const override;
  std::vector<ContactPiece> pieces() const override;

 private:
  struct Scratch;

  Pose pose_of_base(const PcmPair& pair, const Scratch& scratch) const;

  PcmScene scene_;
};

}  // namespace grouser::internal
