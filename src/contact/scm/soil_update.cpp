#include "contact/scm/soil_update.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "contact/scm/flow.h"
#include "core/parallel.h"

namespace grouser::internal {
namespace {

/// A body in contact all the time that moves by less than its footprint between two updates is seen on
/// every column that it presses. Otherwise: where it may have been in between.
NodeRect skipped(const SoilToucher& body, const NodeRect& around) {
  return body.memory->touched.overlaps(contact_rect(*body.footprint)) ? NodeRect{} : around;
}

/// How deep the soil around a body was pressed [m].
double depth_of(const SoilToucher& body, const NodeRect& around, const ScmSoil& soil) {
  double depth = 0;
  for (const double sinkage : body.force->loads.sinkage) depth = std::max(depth, sinkage);
  const NodeRect unseen = skipped(body, around);
  for (int j = unseen.j0; j < unseen.j0 + unseen.ny; ++j) {
    for (int i = unseen.i0; i < unseen.i0 + unseen.nx; ++i) {
      depth = std::max(depth, soil.memory.get(i, j).sunk);
    }
  }
  return depth;
}

/// How far a window reaches beyond the contact [nodes]: about as far as soil slides, so that it seldom
/// has to grow. Berms are a little lower than the body is deep.
int margin_of(double depth, const SoilMap& soils, const ScmOptions& options, double spacing) {
  constexpr double kLeast = 4, kMost = 64;
  const Soil& gentlest = *std::min_element(
      soils.soils().begin(), soils.soils().end(),
      [](const Soil& a, const Soil& b) { return a.repose_angle < b.repose_angle; });
  const double slope = 0.6 * depth / std::tan(gentlest.repose_angle) / spacing;
  const bool flow = options.deformation == ScmOptions::Deformation::flow;
  const double laid = flow ? flow_reach(depth, spacing) : 1;  // beyond it soil seldom gets
  return static_cast<int>(std::min(kLeast + std::max(slope, laid), kMost));
}

/// Columns that a body has left begin to shear anew when one comes again.
void forget_shear(const NodeRect& around, SoilWork& work) {
  for (int j = around.j0 - work.window.j0; j < around.j0 - work.window.j0 + around.ny; ++j) {
    for (int i = around.i0 - work.window.i0; i < around.i0 - work.window.i0 + around.nx; ++i) {
      if (work.held[work.grid.index(i, j)] != 0) continue;
      const SoilMemory& before = work.column(i, j);
      if (before.shear_x == 0 && before.shear_y == 0) continue;
      SoilMemory& column = work.writable(i, j);
      column.shear_x = column.shear_y = 0;
    }
  }
}

}  // namespace

SoilUpdater::SoilUpdater(const ElevationMap& map, std::size_t bodies) : around_(bodies) {
  groups_.reserve(bodies);
  for (std::size_t b = 0; b < bodies; ++b) groups_.emplace_back(map);
}

void SoilUpdater::make_groups(std::span<const SoilToucher> bodies, const SoilMap& soils,
                              const ScmOptions& options, const ScmSoil& soil) {
  const GridSpec& grid = soil.map.grid();
  for (std::size_t b = 0; b < groups_.size(); ++b) {
    Group& group = groups_[b];
    group.bodies.clear();
    group.rect = {};
    if (b >= bodies.size()) continue;
    around_[b] = bodies[b].memory->touched.joined(contact_rect(*bodies[b].footprint));
    group.bodies.push_back(b);
    const double depth = depth_of(bodies[b], around_[b], soil);
    group.rect = around_[b].grown(margin_of(depth, soils, options, grid.spacing), grid);
  }
  for (std::size_t a = 0; a < groups_.size();) {
    std::size_t b = a + 1;
    while (b < groups_.size() && !groups_[a].rect.overlaps(groups_[b].rect)) ++b;
    if (b == groups_.size()) {
      ++a;
      continue;
    }
    groups_[a].rect = groups_[a].rect.joined(groups_[b].rect);
    groups_[a].bodies.insert(groups_[a].bodies.end(), groups_[b].bodies.begin(),
                             groups_[b].bodies.end());
    groups_[b].rect = {};
    a = 0;  // the joint window may overlap others
  }
}

void SoilUpdater::run(Group& group, std::span<const SoilToucher> bodies, double dt,
                      const SoilMap& soils, const ScmOptions& options, const ScmSoil& soil) const {
  using Deformation = ScmOptions::Deformation;
  SoilWork& work = group.work;
  work.load(soil, group.rect, group.heights);
  for (const std::size_t b : group.bodies) work.hold(*bodies[b].footprint);
  group.displaced = 0;
  group.eroded = {};
  group.outgrown = false;
  group.seeds.clear();
  for (const std::size_t b : group.bodies) forget_shear(around_[b], work);
  if (options.deformation == Deformation::none) return;
  for (const std::size_t b : group.bodies) {
    find_sources(bodies[b], skipped(bodies[b], around_[b]), work, group.deposition);
    const bool flow = options.deformation == Deformation::flow;
    if (flow) {
      find_neighbourhood(work, group.deposition);
    } else {
      find_emitters(1, work, group.deposition);
      find_border(work, group.deposition);
    }
    group.displaced +=
        lay_down(options, flow ? Thinning::area : Thinning::line, work, group.deposition);
    carry_along(bodies[b], dt, soils, options, work, group.carry);
    // What changed lies at most one node beyond.
    group.seeds.push_back(flow ? group.rect : around_[b].grown(kOverhang + 1, soil.map.grid()));
  }
  group.eroded = erode(group.seeds, soils, work, group.erosion);
  group.outgrown = work.apply(soil.map.grid());
}

/// Lets soil slide on in larger and larger windows, until none gets to the rim.
void SoilUpdater::run_on(Group& group, std::span<const SoilToucher> bodies, const SoilMap& soils,
                         ScmSoil& soil) const {
  while (group.outgrown && group.eroded.settled) {
    group.rect =
        group.rect.grown(std::max(8, (group.rect.nx + group.rect.ny) / 4), soil.map.grid());
    group.work.load(soil, group.rect, group.heights);
    for (const SoilToucher& body : bodies) group.work.hold(*body.footprint);
    const ErosionReport more = erode({&group.rect, 1}, soils, group.work, group.erosion);
    group.eroded.moved += more.moved;
    group.eroded.sweeps += more.sweeps;
    group.eroded.settled = more.settled;
    group.outgrown = group.work.apply(soil.map.grid());
    group.work.store(soil);
  }
}

SoilUpdateReport SoilUpdater::update(std::span<SoilToucher> bodies, double dt, const SoilMap& soils,
                                     const ScmOptions& options, ScmSoil& soil) {
  assert(bodies.size() <= groups_.size());
  make_groups(bodies, soils, options, soil);
  parallel_for(groups_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      if (!groups_[g].rect.empty()) run(groups_[g], bodies, dt, soils, options, soil);
    }
  });
  // Windows do not overlap, until they grow.
  for (const Group& group : groups_) {
    if (!group.rect.empty()) group.work.store(soil);
  }
  SoilUpdateReport report;
  const double area = soil.map.grid().spacing * soil.map.grid().spacing;
  for (Group& group : groups_) {
    if (group.rect.empty()) continue;
    run_on(group, bodies, soils, soil);
    soil.displaced += group.displaced;
    report.displaced += area * group.displaced;
    report.eroded += area * group.eroded.moved;
    report.sweeps = std::max(report.sweeps, group.eroded.sweeps);
    report.settled = report.settled && group.eroded.settled;
  }
  for (const Group& group : groups_) {
    for (const std::size_t b : group.bodies) {
      if (group.rect.empty()) continue;
      const Footprint& footprint = *bodies[b].footprint;
      bodies[b].memory->touched =
          contact_rect(footprint).joined(group.work.kept_down(footprint.underside));
    }
  }
  for (SoilToucher& body : bodies) body.memory->holds = false;  // it was of the soil before
  return report;
}

double volume_change(const ScmSoil& soil) {
  double sum = 0;
  soil.memory.for_each_tile([&](int, int, const SoilMemory* columns) {
    for (int k = 0; k < decltype(soil.memory)::kTileSize; ++k) {
      sum += columns[k].deposit - columns[k].lowered;
    }
  });
  return sum * soil.map.grid().spacing * soil.map.grid().spacing;
}

}  // namespace grouser::internal
