#include "sim/mesh_contact.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "contact/pcm/mesh_advice.h"
#include "contact/pcm/pcm_slopes.h"

namespace grouser {
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

/// A sum of squares of single rows.
void add_rows(int a, int b, const Vec3& p_W, const Mat6& slopes, std::vector<StiffForce>& out) {
  constexpr double kNone = 1e-12;  // of the largest
  const Eigen::SelfAdjointEigenSolver<Mat6> solver(slopes);
  const Vec6& values = solver.eigenvalues();  // ascending
  for (int k = 0; k < 6; ++k) {
    if (!(values[k] > kNone * values[5])) continue;
    const Vec6 row = solver.eigenvectors().col(k);
    out.push_back({.body_a = a,
                   .body_b = b,
                   .p_W = p_W,
                   .load = {.torque = row.head<3>(), .force = row.tail<3>()},
                   .slope = values[k]});
  }
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

void add_mesh_slopes(const World& world, const Kinematics& kinematics, double damping,
                     double stiffness, const MeshContactScratch& scratch,
                     std::span<SpatialMatrix> bodies, std::vector<StiffForce>& between) {
  const PcmScene& scene = *world.mesh_contacts;
  const auto body_of = [&](int s) {
    return scene.is_terrain(s) ? PcmSurface::kFixed
                               : scene.surfaces()[static_cast<std::size_t>(s)].body;
  };
  for (const PcmContact& contact : scratch.pcm->force.contacts) {
    const PcmPair& pair = scene.pairs()[static_cast<std::size_t>(contact.pair)];
    const std::size_t base = static_cast<std::size_t>(pair.base);
    const int a = body_of(pair.base), b = body_of(pair.target);
    const Pose X_WS = a == PcmSurface::kFixed ? scene.surfaces()[base].X_BS : scratch.X_WS[base];
    Mat6 turn = Mat6::Zero();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = X_WS.R;
    const Mat6 slopes =
        turn * pcm_slopes(pair, contact.patch, damping, stiffness) * turn.transpose();
    if (a != PcmSurface::kFixed && b != PcmSurface::kFixed) {
      add_rows(a, b, X_WS.p, slopes, between);
      continue;
    }
    const std::size_t body = static_cast<std::size_t>(a != PcmSurface::kFixed ? a : b);
    const auto tree = static_cast<std::size_t>(world.model.joints()[body].tree);
    const Mat6 shift = shift_of(X_WS.p - kinematics.p_WO[tree]);
    bodies[body] += to_matrix(Mat6(shift.transpose() * slopes * shift));
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
