#pragma once

#include "contact/scm/deposition.h"

namespace grouser::internal {

/// Receivers for the flow-based variant, ScmOptions::Deformation::flow: all free nodes around the
/// pressed region.
///
/// The description of DLR's Contact Dynamics library names flow fields but gives no equation; this one is
/// ours. Every column that soil is pressed out of sends it out along straight lines, to all sides and ahead as in the classic variant. The flow
/// passes under the body without loss. Outside it settles: of what leaves the footprint e^(-s/λ) gets
/// beyond the distance s from it, λ being the mean depth that the soil is pressed out of. The rise of
/// the ground is minus the divergence of that flow,
///     p(α) e^(-s/λ) / (λ r),
/// at the distance r from the column, p(α) being the part that goes into a direction. A receiver's weight
/// is e^(-s/λ); lay_down() with Thinning::area does the rest. The length λ does not depend on the
/// spacing, unless that is too coarse for it: at least half a cell. Cut off at 3 λ, where 5 % are left.
/// Columns within a block of about λ are taken together.
void find_neighbourhood(SoilWork& work, DepositionScratch& scratch);

/// How far from the footprint receivers may lie, in nodes [-].
int flow_reach(double depth, double spacing);

}  // namespace grouser::internal
