#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "contact/scm/carry.h"
#include "contact/scm/deposition.h"
#include "contact/scm/erosion.h"
#include "contact/scm/soil_work.h"

namespace grouser::internal {

struct SoilUpdateReport {
  double displaced = 0;  ///< pressed out from under bodies and laid down around them [m³]
  double eroded = 0;     ///< moved from node to node by sliding [m³]
  int sweeps = 0;        ///< of sliding, at most, over all bodies
  bool settled = true;   ///< false if some slope is still too steep: more than kMostErosionSweeps
};

/// Moves the soil that bodies have pressed, on the soil's own clock. After an update no slope between
/// free nodes is steeper than ψ + kReposeSlack, except those of the untouched ground and those against
/// a body; and no volume is lost, to the last bit. At the edge of the map soil stays on the map.
///
/// Bodies whose surroundings overlap are treated together; others in parallel, with the same bits for
/// any number of threads.
class SoilUpdater {
 public:
  /// Work space for up to `bodies` bodies; reused, so that updates in steady state allocate nothing.
  SoilUpdater(const ElevationMap& map, std::size_t bodies);

  /// After scm_commit() of all bodies, dt [s] after the last update.
  SoilUpdateReport update(std::span<SoilToucher> bodies, double dt, const SoilMap& soils,
                          const ScmOptions& options, ScmSoil& soil);

 private:
  /// Bodies that share a window.
  struct Group {
    explicit Group(const ElevationMap& map) : heights(map) {}

    NodeRect rect;                    // empty: no such group in this update
    std::vector<std::size_t> bodies;  // indices
    std::vector<NodeRect> seeds;      // where slopes may be too steep
    SoilWork work;
    BaseHeights heights;
    DepositionScratch deposition;
    CarryScratch carry;
    ErosionScratch erosion;
    ErosionReport eroded;
    double displaced = 0;   // sum of heights [m]
    bool outgrown = false;  // soil slid to the rim of the window
  };

  void make_groups(std::span<const SoilToucher> bodies, const SoilMap& soils,
                   const ScmOptions& options, const ScmSoil& soil);
  void run(Group& group, std::span<const SoilToucher> bodies, double dt, const SoilMap& soils,
           const ScmOptions& options, const ScmSoil& soil) const;
  void run_on(Group& group, std::span<const SoilToucher> bodies, const SoilMap& soils,
              ScmSoil& soil) const;

  std::vector<Group> groups_;     // by the first body
  std::vector<NodeRect> around_;  // per body: nodes in contact now or since the last update
};

/// Net volume of all changes [m³]: exactly 0 if no soil was brought or lost.
double volume_change(const ScmSoil& soil);

}  // namespace grouser::internal
