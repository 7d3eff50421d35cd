#include "contact/pcm/pcm_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/pcm/mesh_advice.h"
#include "contact/pcm/pcm_stiffness.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

std::string reason_of(const PcmPair& pair) {
  return fmt::format("{}; in the {}'s frame: {}", pair.role_reason,
                     pair.frame == DetectionFrame::base ? "base" : "target", pair.frame_reason);
}

/// Twists at O to twists at p, O being r before p.
Mat6 shift_of(const Vec3& r) {
  Mat6 shift = Mat6::Identity();
  shift.bottomLeftCorner<3, 3>() = -skew(r);
  return shift;
}

}  // namespace

struct PcmSystem::Scratch final : ContactScratch {
  explicit Scratch(const PcmScene& scene)
      : pcm(scene), X_WS(scene.surfaces().size()), V_WS(scene.surfaces().size()) {}

  PcmScratch pcm;
  std::vector<Pose> X_WS;      // per surface
  std::vector<Twist> V_WS;     // per surface, at its origin, axes of W
  std::vector<double> depths;  // PcmScratch::greatest_depth, kept while somebody looks [m]
};

const PcmForce& PcmSystem::force(const ContactScratch& scratch) const {
  return static_cast<const Scratch&>(scratch).pcm.force;
}

std::vector<ContactElementInfo> PcmSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (const PcmSurface& surface : scene_.surfaces()) {
    if (surface.body == PcmSurface::kFixed) continue;
    elements.push_back(
        {.name = surface.name,
         .model = std::string(kName),
         .body = surface.body,
         .ground = scene_.terrains().empty() ? GroundContact::none : GroundContact::hard});
  }
  return elements;
}

std::unique_ptr<ContactScratch> PcmSystem::make_scratch() const {
  return std::make_unique<Scratch>(scene_);
}

void PcmSystem::evaluate(const ContactInput& input, const ContactMemory& /*memory*/,
                         Purpose purpose, ContactScratch& any, std::span<Wrench> wrenches) const {
  auto& scratch = static_cast<Scratch&>(any);
  const BodyMotions& bodies = input.bodies;
  const std::span<const PcmSurface> surfaces = scene_.surfaces();
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const PcmSurface& surface = surfaces[s];
    if (surface.body == PcmSurface::kFixed) continue;
    scratch.X_WS[s] = bodies.X_WB[at(surface.body)] * surface.X_BS;
    scratch.V_WS[s] = bodies.twist_at(surface.body, scratch.X_WS[s].p);
  }
  if (purpose == Purpose::look) scratch.depths = scratch.pcm.greatest_depth;
  const PcmForce& force = pcm_force(scene_, scratch.X_WS, scratch.V_WS, scratch.pcm);
  if (purpose == Purpose::look) scratch.pcm.greatest_depth = scratch.depths;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (surfaces[s].body == PcmSurface::kFixed) continue;
    const std::size_t body = at(surfaces[s].body);
    wrenches[body] += force.wrenches[s].shifted(bodies.X_WB[body].p - scratch.X_WS[s].p);
  }
}

Pose PcmSystem::pose_of_base(const PcmPair& pair, const Scratch& scratch) const {
  const PcmSurface& base = scene_.surfaces()[at(pair.base)];
  return base.body == PcmSurface::kFixed ? base.X_BS : scratch.X_WS[at(pair.base)];
}

void PcmSystem::stiffness(const ContactInput& input, const ContactMemory& /*memory*/, double reach,
                          ContactScratch& any, ContactStiffness& out) const {
  const auto& scratch = static_cast<Scratch&>(any);
  const auto body_of = [&](int s) {
    return scene_.is_terrain(s) ? PcmSurface::kFixed : scene_.surfaces()[at(s)].body;
  };
  for (const PcmContact& contact : scratch.pcm.force.contacts) {
    const PcmPair& pair = scene_.pairs()[at(contact.pair)];
    const int a = body_of(pair.base), b = body_of(pair.target);
    const Pose X_WS = pose_of_base(pair, scratch);
    Mat6 turn = Mat6::Zero();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = X_WS.R;
    const Mat6 stiffness =
        turn * pcm_stiffness(pair, contact.patch, reach, reach * reach) * turn.transpose();
    if (a != PcmSurface::kFixed && b != PcmSurface::kFixed) {
      out.pairs.push_back({.body_a = a, .body_b = b, .p_W = X_WS.p, .matrix = stiffness});
      continue;
    }
    const int body = a != PcmSurface::kFixed ? a : b;
    const Mat6 shift = shift_of(X_WS.p - input.bodies.p_WR[at(body)]);
    out.bodies.push_back({.body = body, .matrix = Mat6(shift.transpose() * stiffness * shift)});
  }
}

bool PcmSystem::may_jump(const ContactScratch& scratch) const {
  return !static_cast<const Scratch&>(scratch).pcm.near.empty();
}

Vec3 PcmSystem::force_on(int body, const ContactMemory& /*memory*/,
                         const ContactScratch& scratch) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t s = 0; s < scene_.surfaces().size(); ++s) {
    if (scene_.surfaces()[s].body == body) sum += force(scratch).wrenches[s].force;
  }
  return sum;
}

void PcmSystem::sample(const ContactInput& input, const ContactMemory& /*memory*/,
                       const ContactScratch& any, std::vector<ContactReading>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  const PcmForce& force = scratch.pcm.force;
  std::vector<GatheredReading> surfaces(scene_.surfaces().size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (scene_.surfaces()[s].body == PcmSurface::kFixed) continue;
    surfaces[s] = {.body = scene_.surfaces()[s].body,
                   .origin = scratch.X_WS[s].p,
                   .wrench = force.wrenches[s]};
  }
  for (const PcmContact& contact : force.contacts) {
    const PcmPair& pair = scene_.pairs()[at(contact.pair)];
    const Pose X_WS = pose_of_base(pair, scratch);
    for (const int s : {pair.base, pair.target}) {
      if (at(s) >= surfaces.size() || surfaces[at(s)].body < 0) continue;
      GatheredReading& gathered = surfaces[at(s)];
      gathered.depth = std::max(gathered.depth, contact.depth);
      for (const PatchElement& element : contact.patch) {
        gathered.add_place(element.pressure * element.area, X_WS * element.p);
      }
    }
  }
  for (const GatheredReading& gathered : surfaces) {
    if (gathered.body < 0) continue;
    out.push_back(gathered.reading(input.bodies.twist_at(gathered.body, gathered.origin),
                                   gathered.depth > 0));
  }
}

std::vector<ContactTable> PcmSystem::tables() const {
  return {{.name = "patches",
           .columns = {"base", "target", "triangle", "x [m]", "y [m]", "z [m]", "area [m2]",
                       "depth [m]", "pressure [Pa]", "slip [m/s]"}}};
}

void PcmSystem::sample_table(std::size_t /*table*/, const ContactScratch& any,
                             std::vector<TableCell>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  for (const PcmContact& contact : scratch.pcm.force.contacts) {
    const PcmPair& pair = scene_.pairs()[at(contact.pair)];
    const std::string_view base = scene_.name_of(pair.base), target = scene_.name_of(pair.target);
    const Pose X_WS = pose_of_base(pair, scratch);
    for (const PatchElement& element : contact.patch) {
      const Vec3 p = X_WS * element.p;
      out.insert(out.end(), {base, target, element.triangle, p.x(), p.y(), p.z(), element.area,
                             element.depth, element.pressure, element.slip.norm()});
    }
  }
}

std::vector<std::string> PcmSystem::warnings(const ContactUse& /*use*/) const {
  return advise(scene_);
}

void PcmSystem::report(const ContactMemory& /*memory*/, const ContactScratch& any,
                       ContactReport& out) const {
  constexpr double kReserve = 1.5;  // the paper advises 50 %
  const auto& scratch = static_cast<const Scratch&>(any);
  std::size_t count = 0;
  const PairReport* worst = nullptr;
  const auto used = [](const PairReport& pair) {
    return pair.greatest_depth / pair.max_penetration;
  };
  out.pairs.reserve(scene_.pairs().size());
  for (std::size_t p = 0; p < scene_.pairs().size(); ++p) {
    const double depth = scratch.pcm.greatest_depth[p];
    if (depth <= 0) continue;
    const PcmPair& pair = scene_.pairs()[p];
    out.pairs.push_back({.base = scene_.name_of(pair.base),
                         .target = scene_.name_of(pair.target),
                         .reason = reason_of(pair),
                         .greatest_depth = depth,
                         .max_penetration = pair.base_surface->max_penetration()});
    const PairReport& last = out.pairs.back();
    if (kReserve * used(last) <= 1) continue;
    ++count;
    if (worst == nullptr || used(last) > used(*worst)) worst = &last;
  }
  if (worst == nullptr) return;
  out.warnings.push_back(fmt::format(
      "{} pairs of meshes came near the end of their penetration lines, beyond which contact is "
      "lost; the worst: '{}' and '{}', {:.3g} of {:.3g} m; make max_penetration at least {:.2g} m",
      count, worst->base, worst->target, worst->greatest_depth, worst->max_penetration,
      kReserve * worst->greatest_depth));
}

std::vector<ContactPiece> PcmSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const PcmSurface& surface : scene_.surfaces()) {
    pieces.push_back({fmt::format("contact mesh {} of {} triangles", surface.name,
                                  surface.mesh->triangles.size())});
  }
  return pieces;
}

}  // namespace grouser::internal
