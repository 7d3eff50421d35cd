#include "contact/scm/scm_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "contact/scm/scm_stiffness.h"
#include "contact/scm/soil_update.h"
#include "core/clock.h"
#include "core/index.h"
#include "core/parallel.h"

namespace grouser::internal {
namespace {

bool is_same(const Pose& a, const Pose& b) { return a.R == b.R && a.p == b.p; }
bool is_same(const Twist& a, const Twist& b) {
  return a.angular == b.angular && a.linear == b.linear;
}

}  // namespace

struct ScmSystem::Scratch final : ContactScratch {
  /// What happened to the soil over a run.
  struct Statistics {
    long updates = 0;            // of the soil, on its own clock
    long unsettled = 0;          // of those, after how many some slope was still too steep
    double least_stiffness = 1;  // smallest k_c/b + k_φ that was met, over k_φ [-]
  };

  std::vector<ScmScratch> bodies;       // per contact
  std::vector<Pose> X_WS;               // per contact: shape in W
  std::vector<Twist> V_WS;              // per contact: at the shape's origin, axes of W
  std::vector<ScmReaction> reactions;   // per contact, at the shape's origin
  std::vector<ScmStiffness> stiffness;  // per contact, at the shape's origin
  std::vector<std::uint64_t> found;     // per contact: for which memory `bodies` shows it; 0: none
  std::vector<SoilToucher> touchers;
  std::optional<SoilUpdater> updater;
  Statistics statistics;
};

ScmSystem::ScmSystem(std::vector<ScmContact> contacts, const ScmOptions& options,
                     std::shared_ptr<const ElevationMap> map, std::shared_ptr<const SoilMap> soils)
    : contacts_(std::move(contacts)),
      options_(options),
      map_(std::move(map)),
      soils_(std::move(soils)) {}

std::vector<ContactElementInfo> ScmSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (const ScmContact& contact : contacts_) {
    elements.push_back({.name = {},
                        .model = std::string(kName),
                        .body = contact.body,
                        .ground = GroundContact::soil});
  }
  return elements;
}

std::unique_ptr<ContactScratch> ScmSystem::make_scratch() const {
  auto scratch = std::make_unique<Scratch>();
  for (const ScmContact& contact : contacts_) scratch->bodies.emplace_back(*contact.shape, *map_);
  const std::size_t count = contacts_.size();
  scratch->X_WS.resize(count);
  scratch->V_WS.resize(count);
  scratch->reactions.resize(count);
  scratch->stiffness.resize(count);
  scratch->found.resize(count);
  scratch->touchers.resize(count);
  if (count > 0) scratch->updater.emplace(*map_, count);
  return scratch;
}

ContactMemory ScmSystem::initial_memory(const BodyMotions& bodies) const {
  ScmState state{.soil = ScmSoil(*map_), .bodies = {}};
  for (const ScmContact& contact : contacts_) {
    state.bodies.push_back({.X_WB = bodies.X_WB[at(contact.body)] * contact.X_BS});
  }
  return ContactMemory(std::move(state));
}

bool ScmSystem::fits(const ContactMemory& memory) const {
  return memory.holds<ScmState>() && memory.as<ScmState>().bodies.size() == contacts_.size();
}

/// `may_hold`: a body that moves just as at the last commit need not be looked at again.
void ScmSystem::find_reactions(const BodyMotions& bodies, const ContactMemory& memory,
                               bool may_hold, Scratch& scratch) const {
  const auto& state = memory.as<ScmState>();
  parallel_for(contacts_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const ScmContact& contact = contacts_[c];
      const ScmBodyMemory& body = state.bodies[c];
      const Pose X_WS = bodies.X_WB[at(contact.body)] * contact.X_BS;
      const Twist V_WS = bodies.twist_at(contact.body, X_WS.p);
      const auto is_at = [&](const Pose& X, const Twist& V) {
        return is_same(X, X_WS) && is_same(V, V_WS);
      };
      if (may_hold && body.holds && is_at(body.X_WB, body.V_WB)) {
        scratch.reactions[c] = body.reaction;
        scratch.found[c] = 0;
      } else if (scratch.found[c] != memory.revision() ||
                 !is_at(scratch.X_WS[c], scratch.V_WS[c])) {
        scratch.reactions[c] = scm_force(*contact.shape, X_WS, V_WS, body, state.soil, *soils_,
                                         options_, scratch.bodies[c]);
        scratch.found[c] = memory.revision();
      }
      scratch.X_WS[c] = X_WS;
      scratch.V_WS[c] = V_WS;
    }
  });
}

void ScmSystem::evaluate(const ContactInput& input, const ContactMemory& memory, Purpose purpose,
                         ContactScratch& any, std::span<Wrench> wrenches) const {
  auto& scratch = static_cast<Scratch&>(any);
  find_reactions(input.bodies, memory, purpose == Purpose::step, scratch);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const std::size_t body = at(contacts_[c].body);
    const Wrench& at_shape = scratch.reactions[c].wrench;
    const Vec3 arm = scratch.X_WS[c].p - input.bodies.X_WB[body].p;
    wrenches[body].force += at_shape.force;
    wrenches[body].torque += at_shape.torque + arm.cross(at_shape.force);
  }
}

void ScmSystem::stiffness(const ContactInput& input, const ContactMemory& /*memory*/, double reach,
                          ContactScratch& any, ContactStiffness& out) const {
  auto& scratch = static_cast<Scratch&>(any);
  parallel_for(contacts_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      scratch.stiffness[c] = scm_stiffness(options_, scratch.bodies[c]);
    }
  });
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const int body = contacts_[c].body;
    Mat6 shift = Mat6::Identity();  // of a twist from the reference point to the shape
    shift.bottomLeftCorner<3, 3>() = -skew(scratch.X_WS[c].p - input.bodies.p_WR[at(body)]);
    const ScmStiffness& resists = scratch.stiffness[c];
    const Mat6 sum = reach * resists.damping + reach * reach * resists.stiffness;
    out.bodies.push_back({.body = body, .matrix = Mat6(shift.transpose() * sum * shift)});
  }
}

bool ScmSystem::commit(const ContactInput& input, ContactMemory& memory,
                       ContactScratch& any) const {
  auto& scratch = static_cast<Scratch&>(any);
  const Clock clock{0, 1 / options_.update_rate_hz};
  find_reactions(input.bodies, memory, false, scratch);
  auto& state = memory.write<ScmState>();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    scm_commit(scratch.X_WS[c], scratch.V_WS[c], options_, scratch.bodies[c], state.bodies[c],
               state.soil);
    scratch.statistics.least_stiffness =
        std::min(scratch.statistics.least_stiffness, scratch.bodies[c].force.least_stiffness);
  }
  if (!clock.is_due(state.updates + 1, input.time)) return false;
  parallel_for(contacts_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      ScmScratch& body = scratch.bodies[c];
      find_underside(*contacts_[c].shape, scratch.X_WS[c], state.soil, options_,
                     body.footprint_scratch, body.footprint);
    }
  });
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    scratch.touchers[c] = {.footprint = &scratch.bodies[c].footprint,
                           .force = &scratch.bodies[c].force,
                           .X_WB = scratch.X_WS[c],
                           .V_WB = scratch.V_WS[c],
                           .memory = &state.bodies[c]};
  }
  const SoilUpdateReport report = scratch.updater->update(
      scratch.touchers, input.time - state.updated, *soils_, options_, state.soil);
  state.updated = input.time;
  while (clock.is_due(state.updates + 1, input.time)) state.updates += 1;
  ++scratch.statistics.updates;
  scratch.statistics.unsettled += report.settled ? 0 : 1;
  return true;
}

double ScmSystem::next_tick(const ContactMemory& memory) const {
  const Clock clock{0, 1 / options_.update_rate_hz};
  return clock.time_of(memory.as<ScmState>().updates + 1);
}

const ElevationMap* ScmSystem::ground(const ContactMemory& memory) const {
  return &memory.as<ScmState>().soil.map;
}

Vec3 ScmSystem::force_on(int body, const ContactMemory& /*memory*/,
                         const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  Vec3 sum = Vec3::Zero();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].body == body) sum += scratch.reactions[c].wrench.force;
  }
  return sum;
}

double ScmSystem::sinkage_of(int body, const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  double sinkage = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].body == body) sinkage = std::max(sinkage, scratch.reactions[c].sinkage);
  }
  return sinkage;
}

void ScmSystem::sample(const ContactInput& input, const ContactMemory& /*memory*/,
                       const ContactScratch& any, std::vector<ContactReading>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const ScmReaction& reaction = scratch.reactions[c];
    GatheredReading gathered{.body = contacts_[c].body,
                             .origin = scratch.X_WS[c].p,
                             .wrench = reaction.wrench,
                             .depth = reaction.sinkage};
    const Footprint& footprint = scratch.bodies[c].footprint;
    for (std::size_t k = 0; k < footprint.cells.size(); ++k) {
      const ContactCell& cell = footprint.cells[k];
      gathered.add_place(scratch.bodies[c].force.loads[k].force.norm(),
                         Vec3(cell.centre.x(), cell.centre.y(), cell.body));
    }
    const Twist motion = input.bodies.twist_at(gathered.body, gathered.origin);
    out.push_back(gathered.reading(motion, reaction.area > 0));
  }
}

void ScmSystem::sample_cells(const ContactScratch& any, std::vector<SoilCellSample>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Footprint& footprint = scratch.bodies[c].footprint;
    for (std::size_t k = 0; k < footprint.cells.size(); ++k) {
      const ContactCell& cell = footprint.cells[k];
      const CellLoad& load = scratch.bodies[c].force.loads[k];
      const Vec3 inward = Vec3(-cell.slope.x(), -cell.slope.y(), 1).normalized();
      const double normal = load.force.dot(inward);
      const double across = (load.force - normal * inward).norm();
      out.push_back({.contact = static_cast<int>(c),
                     .position = Vec3(cell.centre.x(), cell.centre.y(), cell.body),
                     .sinkage = load.sinkage,
                     .pressure = load.pressure,
                     .shear = normal > 0 ? load.pressure * across / normal : 0,
                     .normal = normal});
    }
  }
}

/// Footprints of less than three cells across have no middle: pressure and width of contact come out wrong.
std::vector<std::string> ScmSystem::warnings(const ContactUse& use) const {
  constexpr double kCells = 3;
  const double spacing = map_->grid().spacing;
  std::set<double> widths;
  for (const WheelUse& wheel : use.wheels) {
    if (std::ranges::find(contacts_, wheel.body, &ScmContact::body) != contacts_.end()) {
      widths.insert(wheel.width);
    }
  }
  std::vector<std::string> warnings;
  for (const double width : widths) {
    if (kCells * spacing <= width * (1 + 1e-9)) continue;
    warnings.push_back(
        fmt::format("the soil's grid of {:g} m is too coarse for a wheel {:g} m wide: forces and "
                    "sinkage are not to be trusted; set the terrain's spacing to {:.2g} m or less",
                    spacing, width, width / kCells));
  }
  return warnings;
}

void ScmSystem::report(const ContactMemory& memory, const ContactScratch& any,
                       ContactReport& out) const {
  const auto& state = memory.as<ScmState>();
  const Scratch::Statistics& statistics = static_cast<const Scratch&>(any).statistics;
  const double cell = std::pow(map_->grid().spacing, 2);
  out.soil = SoilReport{.displaced = state.soil.displaced * cell,
                        .volume_error = volume_change(state.soil)};
  if (statistics.unsettled > 0) {
    out.warnings.push_back(
        fmt::format("after {} of {} updates of the soil some slope was still steeper than the "
                    "angle of repose",
                    statistics.unsettled, statistics.updates));
  }
  if (statistics.least_stiffness < kLeastStiffness) {
    out.warnings.push_back(fmt::format(
        "a footprint was so narrow that k_c/b + k_φ fell to {:.2g} k_φ; it was held at {} k_φ: "
        "the soil's k_c is not meant for plates as narrow as that",
        statistics.least_stiffness, kLeastStiffness));
  }
}

std::vector<ContactPiece> ScmSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const ScmContact& contact : contacts_) pieces.push_back({"soil contact", contact.body});
  return pieces;
}

}  // namespace grouser::internal
