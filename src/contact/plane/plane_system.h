#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"

namespace grouser::internal {

/// A springy plane with Coulomb friction. Solid where (p - point) · normal < 0.
struct SpringyPlane {
  Vec3 point = Vec3::Zero();    ///< on it, in W [m]
  Vec3 normal = Vec3::UnitZ();  ///< outward; any length
  double stiffness = 1e5;       ///< k of each point [N/m], > 0
  double damping = 1e3;         ///< c of each point [N s/m], >= 0
  double friction = 0.5;        ///< μ [-], >= 0
  /// Below this speed of sliding friction falls to zero linearly [m/s], > 0.
  double creep_speed = 1e-3;
};

/// A point of a body that a plane stops.
struct PlanePoint {
  int body = 0;
  Vec3 p_B = Vec3::Zero();  ///< in the body's frame [m]
  int plane = 0;            ///< which of the planes
};

/// Points of bodies on springy planes: at depth δ and depth rate δ̇ each feels k δ + c δ̇ outward, never less than
/// nothing, and μ times that against its sliding. The simplest contact there is, without memory: a pattern for new
/// systems.
class PlaneSystem final : public ContactSystem {
 public:
  static constexpr std::string_view kName = "plane";

  /// Throws Error(input) naming every parameter out of range.
  PlaneSystem(std::vector<PlanePoint> points, std::vector<SpringyPlane> planes);

  std::string_view name() const override { return kName; }
  std::vector<ContactElementInfo> elements() const override;
  std::unique_ptr<ContactScratch> make_scratch() const override;
  void evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                ContactScratch& scratch, std::span<Wrench> wrenches) const override;
  void stiffness(const ContactInput& input, const ContactMemory& memory, double reach,
                 ContactScratch& scratch, ContactStiffness& out) const override;
  bool may_jump(const ContactScratch&) const override { return true; }
  Vec3 force_on(int body, const ContactMemory& memory,
                const ContactScratch& scratch) const override;
  void sample(const ContactInput& input, const ContactMemory& memory, const ContactScratch& scratch,
              std::vector<ContactReading>& out) const override;
  std::vector<ContactPiece> pieces() const override;

 private:
  struct Scratch;

  const SpringyPlane& plane_of(std::size_t point) const;

  std::vector<PlanePoint> points_;
  std::vector<SpringyPlane> planes_;  // their normals are unit vectors
};

}  // namespace grouser::internal
