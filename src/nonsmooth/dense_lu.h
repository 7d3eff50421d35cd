#pragma once

/// Internal to nonsmooth: dense kernels, matrices by columns with `ld` numbers from one column to the next.
namespace grouser::internal {

/// Eliminates the first `pivots` unknowns of an n × n matrix, in place: LU with exchanges among the first
/// `pivots` rows, then the rest is what remains for the other unknowns. `exchanged[k]` is the row that
/// changed places with row k. False if a pivot is zero or not a number.
bool eliminate(double* a, int ld, int n, int pivots, int* exchanged);

/// The two halves of solving with those factors, for a vector of n entries: forward takes the first
/// `pivots` to L⁻¹ of them and subtracts their share from the others; backward needs the others solved.
void forward_solve(const double* a, int ld, int n, int pivots, const int* exchanged, double* x);
void backward_solve(const double* a, int ld, int n, int pivots, double* x);

}  // namespace grouser::internal
