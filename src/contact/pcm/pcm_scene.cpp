#include "contact/pcm/pcm_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "core/long_task.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

void check_surface(const PcmSurface& surface, IssueList& issues) {
  const std::string place = fmt::format("surface '{}'", surface.name);
  check(surface.material, place + ".material", issues);
  if (!(surface.max_penetration > 0) || !std::isfinite(surface.max_penetration)) {
    issues.add({.message = "penetration lines need a length",
                .field = place + ".max_penetration",
                .value = format_number(surface.max_penetration),
                .legal = "> 0 [m]"});
  }
  if (!surface.mesh || surface.mesh->triangles.empty()) {
    issues.add({.message = "the mesh has no triangles", .field = place});
    return;
  }
  for (std::size_t t = 0; t < surface.mesh->triangles.size(); ++t) {
    if (area_vector(*surface.mesh, t).norm() > 0) return;
  }
  issues.add({.message = "no triangle of the mesh has an area", .field = place});
}

}  // namespace

PcmScene::PcmScene(std::vector<PcmSurface> surfaces, std::vector<PcmTerrain> terrains,
                   const PcmOptions& options)
    : surfaces_(std::move(surfaces)), terrains_(std::move(terrains)), options_(options) {
  IssueList issues;
  for (const PcmSurface& surface : surfaces_) check_surface(surface, issues);
  for (const PcmTerrain& terrain : terrains_) check(terrain.material, terrain.name, issues);
  if (!(options_.damping.fade_in >= 0)) {
    issues.add({.message = "no depth", .field = "fade_in", .legal = ">= 0 [m]"});
  }
  issues.throw_if_any();
  for (const PcmSurface& surface : surfaces_) {
    boxes_.push_back(bounds(*surface.mesh));
    grains_.push_back(grain_of(*surface.mesh));
  }
  const auto is_fixed = [](const PcmSurface& surface) {
    return surface.body == PcmSurface::kFixed;
  };
  std::vector<std::size_t> all(surfaces_.size()), moving;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::copy_if(all, std::back_inserter(moving),
                       [&](std::size_t s) { return !is_fixed(surfaces_[s]); });
  LongTask task("pairing meshes", surfaces_.size());
  for (std::size_t a = 0; a < surfaces_.size(); ++a) {
    task.advance();
    // Among thousands of fixed rocks only those that move need to be looked at.
    const std::vector<std::size_t>& others = is_fixed(surfaces_[a]) ? moving : all;
    for (auto b = std::ranges::upper_bound(others, a); b != others.end(); ++b) {
      if (may_touch(surfaces_[a], surfaces_[*b]))
        add_pair(static_cast<int>(a), static_cast<int>(*b));
    }
    for (std::size_t t = 0; t < terrains_.size(); ++t) {
      add_terrain_pair(static_cast<int>(a), static_cast<int>(t));
    }
  }
  if (options_.detection == Detection::intersection) add_clean_surfaces(issues);
  issues.throw_if_any();
}

void PcmScene::add_clean_surfaces(IssueList& issues) {
  std::map<const TriMesh*, std::shared_ptr<const CleanSurface>> surfaces;
  const auto clean = [&](int surface) {
    const PcmSurface& wanted = surfaces_[slot(surface)];
    const auto [at, is_new] = surfaces.try_emplace(wanted.mesh.get());
    if (!is_new) return at->second;
    const std::vector<std::string> obstacles = intersection_obstacles(*wanted.mesh);
    for (const std::string& obstacle : obstacles) {
      issues.add({.message = "no detection by intersection, but by penetration: " + obstacle,
                  .field = fmt::format("surface '{}'", wanted.name)});
    }
    if (obstacles.empty()) at->second = std::make_shared<const CleanSurface>(*wanted.mesh);
    return at->second;
  };
  for (PcmPair& pair : pairs_) {
    if (is_terrain(pair.target)) {
      issues.add({.message = "no detection by intersection, but by penetration: the ground has no "
                             "triangles until they are needed",
                  .field = name_of(pair.target)});
      return;
    }
    pair.clean_base = clean(pair.base);
    pair.clean_target = clean(pair.target);
  }
}

const std::string& PcmScene::name_of(int target) const {
  const auto index = static_cast<std::size_t>(target);
  return is_terrain(target) ? terrains_[index - surfaces_.size()].name : surfaces_[index].name;
}

bool PcmScene::may_touch(const PcmSurface& a, const PcmSurface& b) const {
  if (a.body == b.body) return false;  // both fixed, too
  if (a.group == b.group && a.group != PcmSurface::kNoGroup) return false;
  return a.role != b.role || a.role == ContactRole::any;
}

void PcmScene::add_pair(int a, int b) {
  const PcmSurface &first = surfaces_[slot(a)], &second = surfaces_[slot(b)];
  Roles roles{.reason = "as asked for"};
  if (first.role == ContactRole::any && second.role == ContactRole::any) {
    roles = choose_roles(grains_[slot(a)], grains_[slot(b)]);
  } else {
    roles.first_is_base = first.role == ContactRole::base || second.role == ContactRole::target;
  }
  PcmPair pair{.base = roles.first_is_base ? a : b,
               .target = roles.first_is_base ? b : a,
               .role_reason = std::move(roles.reason)};
  const PcmSurface &base = surfaces_[slot(pair.base)], &target = surfaces_[slot(pair.target)];
  if (base.material.rigid && target.material.rigid) {
    throw Error(ErrorKind::input, {.message = fmt::format("'{}' and '{}' cannot both be rigid",
                                                          base.name, target.name)});
  }
  pair.law = pair_of(base.material, target.material, options_.damping, options_.rise);
  pair.base_surface = base_of(pair.base);
  pair.target_surface = target_of(pair.target);
  pair.frame = options_.frame == FrameChoice::base ? DetectionFrame::base : DetectionFrame::target;
  pair.frame_reason = options_.frame == FrameChoice::automatic
                          ? "moving a few lines is cheaper than moving triangles"
                          : "as asked for";
  pairs_.push_back(std::move(pair));
}

void PcmScene::add_terrain_pair(int base, int terrain) {
  const PcmSurface& surface = surfaces_[slot(base)];
  const PcmTerrain& ground = terrains_[slot(terrain)];
  if (surface.body == PcmSurface::kFixed || surface.role == ContactRole::target) return;
  if (surface.group == ground.group && ground.group != PcmSurface::kNoGroup) return;
  if (surface.material.rigid && ground.material.rigid) {
    throw Error(ErrorKind::input, {.message = fmt::format("'{}' and '{}' cannot both be rigid",
                                                          surface.name, ground.name)});
  }
  pairs_.push_back(
      {.base = base,
       .target = static_cast<int>(surfaces_.size()) + terrain,
       .role_reason = "the ground is always the target",
       .frame = DetectionFrame::target,
       .frame_reason = "the ground's triangles are made where they stand",
       .law = pair_of(surface.material, ground.material, options_.damping, options_.rise),
       .base_surface = base_of(base)});
}

const std::shared_ptr<const BaseSurface>& PcmScene::base_of(int surface) {
  const PcmSurface& wanted = surfaces_[slot(surface)];
  auto& base = bases_[{wanted.mesh.get(), wanted.max_penetration}];
  if (!base) base = std::make_shared<const BaseSurface>(wanted.mesh, wanted.max_penetration);
  return base;
}

const std::shared_ptr<const TargetSurface>& PcmScene::target_of(int surface) {
  const PcmSurface& wanted = surfaces_[slot(surface)];
  auto& target = targets_[wanted.mesh.get()];
  if (!target) target = std::make_shared<const TargetSurface>(wanted.mesh);
  return target;
}

}  // namespace grouser::internal
