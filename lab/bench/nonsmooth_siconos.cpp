#include "lab/bench/nonsmooth_siconos.h"

#ifdef GROUSER_WITH_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/index.h"

namespace grouser::internal {
namespace {

template <class Use>
void each_entry(const ConeMatrix& W, const Use& use) {
  for (int i = 0; i < W.size; ++i) {
    if (W.is_dense()) {
      for (int j = 0; j < W.size; ++j) use(i, j, W(i, j));
    } else {
      for (int k = W.start[at(i)]; k < W.start[at(i) + 1]; ++k)
        use(i, W.column[at(k)], W.value[at(k)]);
    }
  }
}

NumericsMatrix* dense_matrix(const ConeMatrix& W) {
  double* data = static_cast<double*>(std::calloc(at(W.size) * at(W.size), sizeof(double)));
  each_entry(W, [&](int i, int j, double value) { data[at(i) + at(j) * at(W.size)] = value; });
  return NM_create_from_data(NM_DENSE, W.size, W.size, data);
}

NumericsMatrix* sparse_matrix(const ConeMatrix& W) {
  NumericsMatrix* matrix = NM_create(NM_SPARSE, W.size, W.size);
  NM_triplet_alloc(matrix, static_cast<CS_INT>(W.value.size()));
  each_entry(W, [&](int i, int j, double value) { NM_entry(matrix, i, j, value); });
  return matrix;
}

/// Siconos' Gauss-Seidel wants dense or block storage; the second is the faster.
NumericsMatrix* block_matrix(const ConeMatrix& W) {
  NumericsMatrix* sparse = sparse_matrix(W);
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, W.size, W.size);
  SBM_from_csparse(3, NM_csc(sparse), blocks->matrix1);
  NM_free(sparse);
  return blocks;
}

int id_of(SiconosSolver solver) {
  switch (solver) {
    case SiconosSolver::nsgs:
      return SICONOS_FRICTION_3D_NSGS;
    case SiconosSolver::newton:
      return SICONOS_FRICTION_3D_NSN_AC;
    case SiconosSolver::proximal:
      return SICONOS_FRICTION_3D_PROX;
    default:
      return SICONOS_FRICTION_3D_ADMM;
  }
}

/// Its defaults, and for sweeps ten times as many.
SolverOptions* options_for(SiconosSolver solver, double tolerance) {
  constexpr int kSweeps = 10000;
  SolverOptions* options = solver_options_create(id_of(solver));
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  int& most = options->iparam[SICONOS_IPARAM_MAX_ITER];
  if (solver == SiconosSolver::nsgs) most = std::max(most, kSweeps);
  return options;
}

NumericsMatrix* matrix_for(const ConeMatrix& W, SiconosSolver solver) {
  constexpr int kDenseRows = 180;
  if (solver == SiconosSolver::nsgs) return block_matrix(W);
  if (solver == SiconosSolver::admm || W.size > kDenseRows) return sparse_matrix(W);
  return dense_matrix(W);
}

}  // namespace

SiconosResult solve_by_siconos(const ConeProblem& problem, SiconosSolver solver, double tolerance) {
  const int contacts = static_cast<int>(problem.blocks.size());
  double* q = static_cast<double*>(std::malloc(problem.q.size() * sizeof(double)));
  double* mu = static_cast<double*>(std::malloc(at(contacts) * sizeof(double)));
  std::copy(problem.q.begin(), problem.q.end(), q);
  for (int b = 0; b < contacts; ++b) mu[b] = problem.blocks[at(b)].mu;
  FrictionContactProblem* given =
      frictionContactProblem_new_with_data(3, contacts, matrix_for(problem.W, solver), q, mu);
  SolverOptions* options = options_for(solver, tolerance);
  SiconosResult result;
  result.r.resize(problem.q.size());
  std::vector<double> u(problem.q.size());
  const auto start = std::chrono::steady_clock::now();
  result.has_given_up = 0 != fc3d_driver(given, result.r.data(), u.data(), options);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  result.ms = taken.count();
  solver_options_delete(options);
  frictionContactProblem_free(given);
  return result;
}

}  // namespace grouser::internal

#else

#include "core/error.h"

namespace grouser::internal {

SiconosResult solve_by_siconos(const ConeProblem&, SiconosSolver, double) {
  throw Error(ErrorKind::usage, {.message = "this program was built without Siconos"});
}

}  // namespace grouser::internal

#endif
