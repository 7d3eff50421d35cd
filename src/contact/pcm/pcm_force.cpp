#include "contact/pcm/pcm_force.h"

#include <algorithm>
#include <cassert>

#include "core/parallel.h"

namespace grouser::internal {
namespace {

/// Pairs that a thread takes at once: some microseconds each.
constexpr std::size_t kGrain = 2;
/// From so many packets on (8 lines each), the tree of a base is shared out to threads.
constexpr std::size_t kShared = 1024;

struct Input {
  const PcmScene& scene;
  std::span<const Pose> X_WS;
  std::span<const Twist> V_WS;

  bool is_fixed(int s) const { return scene.surfaces()[slot(s)].body == PcmSurface::kFixed; }
  /// Of a surface or, if beyond them, a terrain.
  Pose pose(int s) const {
    if (scene.is_terrain(s)) return {};
    return is_fixed(s) ? scene.surfaces()[slot(s)].X_BS : X_WS[slot(s)];
  }
  Twist twist(int s) const { return scene.is_terrain(s) || is_fixed(s) ? Twist{} : V_WS[slot(s)]; }
};

/// Box in W around a box in the frame of S.
Aabb moved(const Pose& X_WS, const Aabb& box) {
  const Vec3 centre = X_WS * box.centre(), half = X_WS.R.cwiseAbs() * (0.5 * box.size());
  return {centre - half, centre + half};
}

void place_boxes(const Input& in, PcmScratch& scratch) {
  for (std::size_t s = 0; s < scratch.boxes.size(); ++s) {
    const int surface = static_cast<int>(s);
    if (in.is_fixed(surface)) continue;
    scratch.boxes[s] = moved(in.X_WS[s], in.scene.local_box(surface));
  }
}

bool is_near(const Input& in, std::size_t p, PcmScratch& scratch) {
  const PcmPair& pair = in.scene.pairs()[p];
  const Aabb& box = scratch.boxes[slot(pair.base)];
  if (!in.scene.is_terrain(pair.target)) return box.overlaps(scratch.boxes[slot(pair.target)]);
  const PcmTerrain& terrain = in.scene.terrains()[slot(pair.target) - in.scene.surfaces().size()];
  MapWindow& window = scratch.windows[p];
  return window.cover(*terrain.map, {box.lower.head<2>(), box.upper.head<2>()}) &&
         box.lower.z() <= window.highest();
}

void find_near(const Input& in, PcmScratch& scratch) {
  scratch.near.clear();
  for (std::size_t p = 0; p < in.scene.pairs().size(); ++p) {
    int& own = scratch.slot_of[p];
    if (!is_near(in, p, scratch)) {
      if (own >= 0) scratch.free.push_back(own);
      own = -1;
      continue;
    }
    if (own < 0 && scratch.free.empty()) {
      own = static_cast<int>(scratch.slots.size());
      scratch.slots.emplace_back().threads.resize(Bvh::kWidth);
    } else if (own < 0) {
      own = scratch.free.back();
      scratch.free.pop_back();
    }
    scratch.slots[slot(own)].pair = static_cast<int>(p);
    scratch.near.push_back(own);
  }
}

void detect(const PcmPair& pair, const Pose& X_TB, const MapWindow& window,
            PcmScratch::Slot& slot) {
  for (DetectionScratch& thread : slot.threads) {
    thread.found.clear();
    thread.count = {};
  }
  const BaseSurface& base = *pair.base_surface;
  if (pair.clean_base) {
    detect_intersection(base, *pair.clean_base, *pair.clean_target, X_TB, pair.frame, slot.elements,
                        slot.intersection, slot.threads[0]);
  } else if (!pair.target_surface) {
    detect_penetration(base, window, X_TB, slot.elements, slot.threads[0]);
  } else if (base.packets().size() < kShared) {
    detect_penetration(base, *pair.target_surface, X_TB, pair.frame, ~0U, slot.elements,
                       slot.threads[0]);
  } else {
    parallel_for(Bvh::kWidth, 1, [&](std::size_t child, std::size_t) {
      detect_penetration(base, *pair.target_surface, X_TB, pair.frame, 1U << child, slot.elements,
                         slot.threads[child]);
    });
  }
}

/// The same load in axes turned by R.
Wrench rotated(const Mat3& R, const Wrench& wrench) {
  return {R * wrench.torque, R * wrench.force};
}

void evaluate(const Input& in, const MapWindow& window, PcmScratch::Slot& slot) {
  const PcmPair& pair = in.scene.pairs()[static_cast<std::size_t>(slot.pair)];
  const Pose X_WB = in.pose(pair.base), X_WT = in.pose(pair.target);
  const Pose X_TB = X_WT.inverse() * X_WB;
  slot.elements.begin(*pair.base_surface);
  detect(pair, X_TB, window, slot);
  for (const DetectionScratch& thread : slot.threads) slot.elements.mark(thread.found);
  slot.elements.finish();
  slot.contact = {.pair = slot.pair};
  slot.patch.clear();
  if (slot.elements.active().empty()) return;

  const Twist V_WB = in.twist(pair.base);
  const Twist V_WT = in.twist(pair.target).shifted(X_WB.p - X_WT.p);
  const Mat3 R_BW = X_WB.R.transpose();
  const Twist V_TB{R_BW * (V_WB.angular - V_WT.angular), R_BW * (V_WB.linear - V_WT.linear)};
  const Wrench F_B = patch_wrench(*pair.base_surface, slot.elements, pair.law, V_TB, slot.patch);
  PcmContact& contact = slot.contact;
  contact.wrench = rotated(X_WB.R, F_B);
  contact.reaction = Wrench{-contact.wrench.torque, -contact.wrench.force}.shifted(X_WT.p - X_WB.p);
  contact.patch = slot.patch;
  for (const PatchElement& element : slot.patch) {
    contact.depth = std::max(contact.depth, element.depth);
  }
}

void add_up(const PcmScene& scene, PcmScratch& scratch) {
  PcmForce& force = scratch.force;
  std::ranges::fill(force.wrenches, Wrench{});
  force.contacts.clear();
  force.count = {};
  for (const int near : scratch.near) {
    const PcmScratch::Slot& slot = scratch.slots[static_cast<std::size_t>(near)];
    for (const DetectionScratch& thread : slot.threads) force.count += thread.count;
    if (slot.patch.empty()) continue;
    const PcmPair& pair = scene.pairs()[static_cast<std::size_t>(slot.pair)];
    force.contacts.push_back(slot.contact);
    force.wrenches[static_cast<std::size_t>(pair.base)] += slot.contact.wrench;
    if (!scene.is_terrain(pair.target)) {
      force.wrenches[static_cast<std::size_t>(pair.target)] += slot.contact.reaction;
    }
    double& greatest = scratch.greatest_depth[static_cast<std::size_t>(slot.pair)];
    greatest = std::max(greatest, slot.contact.depth);
  }
}

}  // namespace

PcmScratch::PcmScratch(const PcmScene& scene) {
  force.wrenches.resize(scene.surfaces().size());
  greatest_depth.resize(scene.pairs().size());
  boxes.resize(scene.surfaces().size());
  windows.resize(scene.pairs().size());
  slot_of.resize(scene.pairs().size(), -1);
  for (std::size_t s = 0; s < boxes.size(); ++s) {
    boxes[s] = moved(scene.surfaces()[s].X_BS, scene.local_box(static_cast<int>(s)));
  }
}

const PcmForce& pcm_force(const PcmScene& scene, std::span<const Pose> X_WS,
                          std::span<const Twist> V_WS, PcmScratch& scratch) {
  assert(X_WS.size() == scene.surfaces().size() && V_WS.size() == X_WS.size());
  const Input in{scene, X_WS, V_WS};
  place_boxes(in, scratch);
  find_near(in, scratch);
  parallel_for(scratch.near.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      PcmScratch::Slot& slot = scratch.slots[static_cast<std::size_t>(scratch.near[k])];
      evaluate(in, scratch.windows[static_cast<std::size_t>(slot.pair)], slot);
    }
  });
  add_up(scene, scratch);
  return scratch.force;
}

}  // namespace grouser::internal
