#pragma once

#include <vector>

namespace grouser::internal {

/// E[(n(p + ℓ) - n(p))²] of gradient noise for a lag of `lag` lattice cells along an axis, averaged over
/// gradients and places. Zero at 0, constant from 2 on.
double noise_structure(double lag);

/// RMS of the noise, √0.0465.
double noise_rms();

/// Amplitudes of octaves of gradient noise, the first having the widest cells, such that the expected
/// deviogram along an axis follows ν(L) ∝ L^hurst from the size of the narrowest cells to 0.27 of the
/// widest. Where that range is shorter than an octave: simply (width of the cells)^hurst.
std::vector<double> octave_weights(double hurst, int octaves, double lacunarity);

}  // namespace grouser::internal
