#pragma once

#include <cstddef>

/// Powers and exponentials of many numbers at once: loops without branches that the compiler turns into
/// vector code. Made of operations that IEEE 754 rounds in one way only, so that results are the same
/// bits on every machine.
namespace grouser::internal {

/// out[i] = base[i]^exponent[i] for base >= 0 and finite, |exponent log2(base)| <= 1000. Zero, and what
/// is below 1e-300, gives 0. The relative error is below 1e-15 (1 + |exponent log2(base)|).
void power(const double* base, const double* exponent, std::size_t count, double* out);

/// out[i] = 1 - e^(-x[i]) for x >= 0, with a relative error below 1e-15 even for small x.
void one_minus_exp(const double* x, std::size_t count, double* out);

}  // namespace grouser::internal
