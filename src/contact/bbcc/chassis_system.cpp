#include "contact/bbcc/chassis_system.h"

#include <algorithm>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// By which boxes are grown, and bodies may move before they are looked at again [m].
constexpr double kClearance = 0.05;

/// Whether no point within `reach` of a body's origin moved by more than kClearance, or as good as none.
bool has_stayed(const Pose& before, const Pose& now, double reach) {
  const double shift2 = (now.p - before.p).squaredNorm();
  const double turn2 = (now.R - before.R).squaredNorm();
  return 2 * (shift2 + reach * reach * turn2) < kClearance * kClearance;
}

double farthest_corner(const Pose& X_BE, const Aabb& box) {
  double farthest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? box.lower.x() : box.upper.x(),
                 (corner & 2) != 0 ? box.lower.y() : box.upper.y(),
                 (corner & 4) != 0 ? box.lower.z() : box.upper.z());
    farthest = std::max(farthest, (X_BE * p).norm());
  }
  return farthest;
}

}  // namespace

struct ChassisSystem::Scratch final : ContactScratch {
  /// Where a body was when its grown box was found clear.
  struct ClearPlace {
    Pose X_WB;
    bool is_known = false;
  };

  std::unique_ptr<ContactScratch> inner;
  std::vector<ClearPlace> places;  // per moving element
  bool is_found = false;           // compliant forces, in `inner`, when last evaluated
};

ChassisSystem::ChassisSystem(std::shared_ptr<const BbccScene> scene, bool is_rigid)
    : scene_(std::move(scene)), inner_(scene_, is_rigid) {
  for (const int e : scene_->moving()) {
    reach_.push_back(farthest_corner(scene_->elements()[at(e)].X_BE, scene_->local_box(e)));
  }
}

std::vector<ContactElementInfo> ChassisSystem::elements() const {
  std::vector<ContactElementInfo> elements = inner_.elements();
  for (ContactElementInfo& element : elements) element.model = std::string(kName);
  return elements;
}

std::unique_ptr<ContactScratch> ChassisSystem::make_scratch() const {
  auto scratch = std::make_unique<Scratch>();
  scratch->inner = inner_.make_scratch();
  scratch->places.resize(scene_->moving().size());
  return scratch;
}

bool ChassisSystem::is_box_clear(int element, const Pose& X_WB) const {
  const Aabb box =
      rotated_box(X_WB * scene_->elements()[at(element)].X_BE, scene_->local_box(element));
  const Vec3 margin = Vec3::Constant(kClearance);
  const Aabb grown{box.lower - margin, box.upper + margin};
  for (const TerrainElement& terrain : scene_->terrains()) {
    const HeightRange heights = terrain.map->range({grown.lower.head<2>(), grown.upper.head<2>()});
    if (!(heights.max < grown.lower.z())) return false;
  }
  bool is_clear = true;
  scene_->fixed_tree().query(grown, [&](int) { is_clear = false; });
  return is_clear;
}

bool ChassisSystem::is_clear(std::span<const Pose> X_WB, Scratch& scratch) const {
  for (std::size_t k = 0; k < scratch.places.size(); ++k) {
    const int e = scene_->moving()[k];
    const Pose& X = X_WB[at(scene_->elements()[at(e)].body)];
    Scratch::ClearPlace& place = scratch.places[k];
    if (place.is_known && has_stayed(place.X_WB, X, reach_[k])) continue;
    place.is_known = is_box_clear(e, X);
    if (!place.is_known) return false;
    place.X_WB = X;
  }
  return true;
}

void ChassisSystem::evaluate(const ContactInput& input, const ContactMemory& memory,
                             Purpose purpose, ContactScratch& any,
                             std::span<Wrench> wrenches) const {
  auto& scratch = static_cast<Scratch&>(any);
  if (!is_rigid()) {
    scratch.is_found = !is_clear(input.bodies.X_WB, scratch);
    if (!scratch.is_found) return;
  }
  inner_.evaluate(input, memory, purpose, *scratch.inner, wrenches);
}

void ChassisSystem::find_rigid(std::span<const Pose> X_WB, double margin,
                               const ContactMemory& memory, ContactScratch& any,
                               RigidContacts& out) const {
  auto& scratch = static_cast<Scratch&>(any);
  if (is_clear(X_WB, scratch)) return;
  inner_.find_rigid(X_WB, margin, memory, *scratch.inner, out);
}

bool ChassisSystem::commit(const ContactInput& input, ContactMemory& memory,
                           ContactScratch& any) const {
  auto& scratch = static_cast<Scratch&>(any);
  if (memory.as<BbccState>().empty() && is_clear(input.bodies.X_WB, scratch)) return false;
  return inner_.commit(input, memory, *scratch.inner);
}

Vec3 ChassisSystem::force_on(int body, const ContactMemory& memory,
                             const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  if (!is_rigid() && !scratch.is_found) return Vec3::Zero();
  return inner_.force_on(body, memory, *scratch.inner);
}

void ChassisSystem::sample(const ContactInput& input, const ContactMemory& memory,
                           const ContactScratch& any, std::vector<ContactReading>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  if (is_rigid() || scratch.is_found) {
    inner_.sample(input, memory, *scratch.inner, out);
    return;
  }
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    out.push_back({.point = input.bodies.X_WB[at(element.body)] * element.X_BE.p});
  }
}

std::vector<std::string> ChassisSystem::overlaps(const ContactInput& input,
                                                 const ContactMemory& memory,
                                                 ContactScratch& any) const {
  return inner_.overlaps(input, memory, *static_cast<Scratch&>(any).inner);
}

std::vector<ContactPiece> ChassisSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    pieces.push_back({"chassis contact", element.body});
  }
  return pieces;
}

}  // namespace grouser::internal
