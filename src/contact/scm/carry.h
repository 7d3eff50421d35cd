#pragma once

#include <vector>

#include "contact/scm/deposition.h"
#include "terrain/soil_map.h"

namespace grouser::internal {

struct CarryScratch {
  struct Outflow {
    std::size_t patch, node;  // where it leaves, and the padded node that it gets to
    std::ptrdiff_t step;      // from there on
    double height;            // [m]
  };
  std::vector<Outflow> outflows;
  std::vector<double> out, least, weight;  // per patch: sums
  std::vector<std::size_t> first;          // per patch: its first cell
};

/// A surface that slides over soil takes a layer of it along: as thick as `carry` times the soil's shear
/// modulus but no thicker than the sinkage, as far as shear is mobilised, at the speed of sliding seen
/// from above. The soil is left where contact ends, and taken evenly from all of the contact patch: under
/// a rigid surface no heap can stay. That makes a slipping wheel dig. Ours; not in the papers.
void carry_along(const SoilToucher& body, double dt, const SoilMap& soils,
                 const ScmOptions& options, SoilWork& work, CarryScratch& scratch);

}  // namespace grouser::internal
