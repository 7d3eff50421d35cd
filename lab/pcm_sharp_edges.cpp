#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "contact/pcm/mesh_advice.h"
#include "contact/pcm/pcm_force.h"
#include "geometry/convex_hull.h"
#include "geometry/mesh_refine.h"
#include "geometry/primitives.h"
#include "lab/pcm_reproductions.h"

/// Figure 2 of the paper: a box slides along a longer one, at a constant depth.
namespace grouser::internal {
namespace {

constexpr double kDepth = 0.002, kStep = 1e-6, kCell = 0.05;

/// A box of 0.4 x 0.4 x 0.2 m that stands on z = 0, all edges cut off at 45° or not.
TriMesh slider(bool is_chamfered) {
  const Vec3 half(0.2, 0.2, 0.1);
  if (!is_chamfered) {
    return transformed({Mat3::Identity(), Vec3(0, 0, half.z())}, box_mesh(2 * half));
  }
  constexpr double kCut = 0.04;
  std::vector<Vec3> points;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                    (corner & 4) != 0 ? 1 : -1);
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      Vec3 p = half.array() - kCut;
      p[axis] = half[axis];
      points.push_back(sign.cwiseProduct(p) + Vec3(0, 0, half.z()));
    }
  }
  return convex_hull(points);
}

struct Slide {
  double jump = 0;  ///< of the force within a step of 1 µm, over the force of one row of elements
  double energy = 0;   ///< spread of what is stored beyond the work done, over that stored by a row
  double advices = 0;  ///< of the mesh checker about edges
};

/// By how much the stored energy less the work done by pushing along x differs between places, all at the same
/// depth [J]. None would if the force were that energy's gradient.
double energy_defect(const std::function<const PcmForce&(double)>& at) {
  constexpr double kWay = 1e-3;
  double work = 0, low = 0, high = 0, start = 0, last_push = 0;
  for (int k = 0; k <= 100; ++k) {
    const PcmForce& force = at(kWay * k);
    double stored = 0;
    for (const PcmContact& contact : force.contacts) {
      for (const PatchElement& e : contact.patch) stored += 0.5 * e.area * e.depth * e.pressure;
    }
    const double push = -force.wrenches[1].force.x();
    if (k == 0) start = stored;
    if (k > 0) work += 0.5 * kWay * (push + last_push);
    last_push = push;
    low = std::min(low, stored - start - work);
    high = std::max(high, stored - start - work);
  }
  return high - low;
}

Slide slide(bool is_chamfered, bool slider_is_base) {
  const auto role = [](bool is_base) { return is_base ? ContactRole::base : ContactRole::target; };
  const LayerMaterial material{.friction = 0};
  const PcmScene scene(
      {{.name = "slab",
        .mesh = std::make_shared<const TriMesh>(transformed(
            {Mat3::Identity(), Vec3(0, 0, -0.05)}, refined(box_mesh(Vec3(2, 0.4, 0.1)), kCell))),
        .material = material,
        .role = role(!slider_is_base)},
       {.name = "slider",
        .body = 0,
        .mesh = std::make_shared<const TriMesh>(refined(slider(is_chamfered), kCell)),
        .material = material,
        .role = role(slider_is_base)}});
  PcmScratch scratch(scene);
  std::vector<Pose> X(2);
  const std::vector<Twist> V(2);
  const auto at = [&](double x) -> const PcmForce& {
    X[1].p = Vec3(x, 0.0123, -kDepth);
    return pcm_force(scene, X, V, scratch);
  };
  const auto force = [&](double x) { return at(x).wrenches[1].force.z(); };
  const double row = 0.5 * layer_stiffness(material) * kDepth * kCell * 0.4;
  Slide result{.energy = energy_defect(at) / (0.5 * kDepth * row)};
  // Looks closer wherever the force changed over a millimetre.
  double last = force(0);
  for (double x = 0; x < 2 * kCell; x += 1e-3) {
    const double next = force(x + 1e-3);
    if (std::abs(next - last) > 0.01 * row) {
      double before = last;
      for (double fine = x; fine < x + 1e-3; fine += kStep) {
        const double after = force(fine + kStep);
        result.jump = std::max(result.jump, std::abs(after - before) / row);
        before = after;
      }
    }
    last = next;
  }
  for (const std::string& advice : advise(scene)) {
    if (advice.find("90° or more, 'slider'") != std::string::npos) result.advices += 1;
  }
  return result;
}

}  // namespace

std::vector<ReproductionRow> pcm_sharp_edges() {
  const Slide sharp = slide(false, false), chamfered = slide(true, false),
              swapped = slide(false, true);
  const auto more_than_a_tenth = [](const char* what, double part) {
    return analytic_row(fmt::format("{} {:.2f} of a row of elements, more than 0.1", what, part),
                        "1: yes", 1, part > 0.1 ? 1 : 0, 0);
  };
  return {more_than_a_tenth("sharp target: force jumps by", sharp.jump),
          analytic_row("chamfered target: jump within 1 µm", "-", 0, chamfered.jump, 1e-3),
          analytic_row("sharp one is the base: jump within 1 µm", "-", 0, swapped.jump, 1e-3),
          more_than_a_tenth("sharp target: energy comes from nowhere,", sharp.energy),
          analytic_row("chamfered target: energy from nowhere", "-", 0, chamfered.energy, 0.05),
          analytic_row("sharp one is the base: energy from nowhere", "-", 0, swapped.energy, 1e-9),
          analytic_row("the mesh checker warns of the sharp target", "1: yes", 1, sharp.advices, 0),
          analytic_row("not of the chamfered one", "1: yes", 0, chamfered.advices, 0),
          analytic_row("not of the sharp base", "1: yes", 0, swapped.advices, 0)};
}

}  // namespace grouser::internal
