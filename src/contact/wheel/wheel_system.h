#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"
#include "contact/wheel/wheel_frame.h"
#include "contact/wheel/wheel_model.h"
#include "terrain/soil_map.h"

namespace grouser::internal {

/// A wheel on the ground by one of the fast models, which leave the soil as it is.
struct WheelContact {
  int body = 0;
  Pose X_BS;  ///< frame of the wheel in the body: axle along y, origin in its middle
  WheelForm form;
  WheelModel model;
  std::vector<WheelSoil> soils;  ///< per soil of the ground
};

/// Contact of a wheel of this form with ground of these soils, under gravity [m/s²]. Throws Error(input) if the model
/// cannot take the form or one of the soils.
WheelContact make_wheel_contact(int body, const Pose& X_BS, const WheelForm& form,
                                const WheelModel& model, const SoilMap& soils, const Vec3& gravity);

/// What all wheels remember.
struct WheelMemories {
  double time = 0;  ///< when it was written [s]
  std::vector<WheelMemory> wheels;

  friend bool operator==(const WheelMemories&, const WheelMemories&) = default;
  void hash(Hasher& hasher) const;
};

/// All wheels of a world on the ground by the fast models. They see ruts that others have left.
class WheelSystem final : public ContactSystem {
 public:
  using Memory = WheelMemories;
  static constexpr std::string_view kName = "wheel";

  WheelSystem(std::vector<WheelContact> contacts, std::shared_ptr<const SoilMap> soils,
              const Vec3& gravity);

  const std::vector<WheelContact>& contacts() const { return contacts_; }

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  ContactMemory initial_memory(const BodyMotions& bodies) const override;
  bool fits(const ContactMemory& memory) const override;
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  void stiffness(const ContactInput& input, const ContactMemory& memory, double reach,
                 ContactScratch& scratch, ContactStiffness& out) const override;
  Commits commits() const override { return Commits::each_step; }
  /// Forces change where stiction lets go or takes hold; else they stay the same to the bit.
  bool commit(const ContactInput& input, ContactMemory& memory,
              ContactScratch& scratch) const override;
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  double sinkage_of(int body, const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  std::vector<std::string> warnings(const ContactUse& use) const override;
  std::vector<ContactPiece> pieces() const override;
  std::vector<double> save(const ContactMemory& memory) const override;
  ContactMemory load(std::span<const double> numbers) const override;

 private:
  struct Scratch;

  void find_reactions(const ContactInput& input, const ContactMemory& memory,
                      Scratch& scratch) const;

  std::vector<WheelContact> contacts_;
  std::shared_ptr<const SoilMap> soils_;
  Vec3 up_;  // against gravity, unit; or 0
};

}  // namespace grouser::internal
