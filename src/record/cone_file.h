#pragma once

#include <filesystem>

#include "nonsmooth/cone_problem.h"

namespace grouser::internal {

/// A cone problem from a file, all blocks cones.
struct ConeFile {
  ConeProblem problem;   ///< W is sparse and exactly symmetric: (W + Wᵀ) / 2 of the file
  double asymmetry = 0;  ///< largest |W - Wᵀ| in the file over its largest |W| [-]
};

/// Reads a frictional contact problem by the ending of its name:
/// - `.hdf5`, `.h5`: the layout of the FCLIB collection: /fclib_local/spacedim (3), /fclib_local/W
///   with m, n, nz, nzmax, p, i, x (triplets or compressed columns or rows), /fclib_local/vectors with mu and q;
///   bilateral constraints (V, R) are refused. Acary et al., "FCLIB: a collection of discrete 3D frictional
///   contact problems", INRIA RT-444 (2014).
/// - `.fc3d`: text: `contacts entries`, the coefficients of friction, q, then `row column value` of W, from 0.
/// In both the rows of a contact are normal, tangent, tangent. Throws Error(input) or Error(io).
ConeFile read_cone_problem(const std::filesystem::path& path);

/// Writes a problem in the layout of FCLIB. Throws Error(input) if a block is not a cone, Error(io) if the file
/// cannot be written.
void write_cone_problem(const std::filesystem::path& path, const ConeProblem& problem);

}  // namespace grouser::internal
