#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"
#include "contact/scm/scm_state.h"

namespace grouser::internal {

/// A body that presses into soft soil.
struct ScmContact {
  int body = 0;
  Pose X_BS;  ///< frame of the shape in the body
  std::shared_ptr<const ScmBody> shape;
};

/// All bodies of a world that press into its soil, by SCM.
class ScmSystem final : public ContactSystem {
 public:
  using Memory = ScmState;
  static constexpr std::string_view kName = "scm";

  /// The soil lies on the map, which has the height of untouched ground.
  ScmSystem(std::vector<ScmContact> contacts, const ScmOptions& options,
            std::shared_ptr<const ElevationMap> map, std::shared_ptr<const SoilMap> soils);

  const std::vector<ScmContact>& contacts() const { return contacts_; }
  const ScmOptions& options() const { return options_; }

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  ContactMemory initial_memory(const BodyMotions& bodies) const override;
  bool fits(const ContactMemory& memory) const override;
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  void stiffness(const ContactInput& input, const ContactMemory& memory, double reach,
                 ContactScratch& scratch, ContactStiffness& out) const override;
  Commits commits() const override { return Commits::on_grid; }
  /// The soil remembers, and is updated if its own clock says so: only then forces change.
  bool commit(const ContactInput& input, ContactMemory& memory,
              ContactScratch& scratch) const override;
  double next_tick(const ContactMemory& memory) const override;
  bool shapes_ground() const override { return true; }
  const ElevationMap* ground(const ContactMemory& memory) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  double sinkage_of(int body, const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  void sample_cells(const ContactScratch& scratch, std::vector<SoilCellSample>& out) const override;
  std::vector<std::string> warnings(const ContactUse& use) const override;
  void report(const ContactMemory& memory, const ContactScratch& scratch,
              ContactReport& out) const override;
  std::vector<ContactPiece> pieces() const override;
  std::vector<double> save(const ContactMemory& memory) const override;
  ContactMemory load(std::span<const double> numbers) const override;

 private:
  struct Scratch;

  void find_reactions(const BodyMotions& bodies, const ContactMemory& memory, bool may_hold,
                      Scratch& scratch) const;

  std::vector<ScmContact> contacts_;
  ScmOptions options_;
  std::shared_ptr<const ElevationMap> map_;
  std::shared_ptr<const SoilMap> soils_;
};

}  // namespace grouser::internal
