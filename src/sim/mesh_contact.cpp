#include "sim/mesh_contact.h"

#include <fmt/format.h>

#include "contact/pcm/mesh_advice.h"

namespace grouser {
namespace {

std::string reason_of(const PcmPair& pair) {
  return fmt::format("{}; in the {}'s frame: {}", pair.role_reason,
                     pair.frame == DetectionFrame::base ? "base" : "target", pair.frame_reason);
}

}  // namespace

MeshContactScratch::MeshContactScratch(const World& world) {
  if (!world.mesh_contacts) return;
  pcm.emplace(*world.mesh_contacts);
  X_WS.resize(world.mesh_contacts->surfaces().size());
  V_WS.resize(X_WS.size());
}

void add_mesh_contact_wrenches(const World& world, const Kinematics& kinematics,
                               MeshContactScratch& scratch, std::span<Wrench> wrenches) {
  const std::span<const PcmSurface> surfaces = world.mesh_contacts->surfaces();
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const PcmSurface& surface = surfaces[s];
    if (surface.body == PcmSurface::kFixed) continue;
    scratch.X_WS[s] = kinematics.X_WB[static_cast<std::size_t>(surface.body)] * surface.X_BS;
    scratch.V_WS[s] = twist_at(world.model, kinematics, surface.body, scratch.X_WS[s].p);
  }
  const PcmForce& force = pcm_force(*world.mesh_contacts, scratch.X_WS, scratch.V_WS, *scratch.pcm);
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (surfaces[s].body == PcmSurface::kFixed) continue;
    const auto body = static_cast<std::size_t>(surfaces[s].body);
    wrenches[body] += force.wrenches[s].shifted(kinematics.X_WB[body].p - scratch.X_WS[s].p);
  }
}

void warn_of_meshes(const World& world, RunReport& report) {
  if (!world.mesh_contacts) return;
  for (std::string& advice : advise(*world.mesh_contacts)) {
    report.warnings.push_back(std::move(advice));
  }
}

void report_mesh_contacts(const World& world, const MeshContactScratch& scratch,
                          RunReport& report) {
  constexpr double kReserve = 1.5;  // the paper advises 50 %
  if (!world.mesh_contacts) return;
  const PcmScene& scene = *world.mesh_contacts;
  std::size_t count = 0;
  const MeshContactReport* worst = nullptr;
  const auto used = [](const MeshContactReport& pair) {
    return pair.greatest_depth / pair.max_penetration;
  };
  report.mesh_contacts.reserve(scene.pairs().size());
  for (std::size_t p = 0; p < scene.pairs().size(); ++p) {
    const double depth = scratch.pcm->greatest_depth[p];
    if (depth <= 0) continue;
    const PcmPair& pair = scene.pairs()[p];
    report.mesh_contacts.push_back({.base = scene.name_of(pair.base),
                                    .target = scene.name_of(pair.target),
                                    .reason = reason_of(pair),
                                    .greatest_depth = depth,
                                    .max_penetration = pair.base_surface->max_penetration()});
    const MeshContactReport& last = report.mesh_contacts.back();
    if (kReserve * used(last) <= 1) continue;
    ++count;
    if (worst == nullptr || used(last) > used(*worst)) worst = &last;
  }
  if (worst == nullptr) return;
  report.warnings.push_back(fmt::format(
      "{} pairs of meshes came near the end of their penetration lines, beyond which contact is "
      "lost; the worst: '{}' and '{}', {:.3g} of {:.3g} m; make max_penetration at least {:.2g} m",
      count, worst->base, worst->target, worst->greatest_depth, worst->max_penetration,
      kReserve * worst->greatest_depth));
}

}  // namespace grouser
