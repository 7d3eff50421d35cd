#include "nonsmooth/cone_problem.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/index.h"
#include "core/text.h"
#include "nonsmooth/cone_laws.h"

namespace grouser::internal {
namespace {

int append(std::vector<ConeBlock>& blocks, ConeBlock block) {
  block.row = blocks.empty() ? 0 : blocks.back().row + rows_of(blocks.back().kind);
  blocks.push_back(block);
  return block.row;
}

[[noreturn]] void refuse(std::string message, std::string field, double value, std::string legal) {
  throw Error(ErrorKind::input, {.message = std::move(message),
                                 .field = std::move(field),
                                 .value = format_number(value),
                                 .legal = std::move(legal)});
}

void check_block(const ConeBlock& block, std::size_t index, int row) {
  const auto field = [index](const char* name) {
    return fmt::format("blocks[{}].{}", index, name);
  };
  if (block.row != row) refuse("rows have a gap", field("row"), block.row, fmt::format("{}", row));
  if (block.kind == BlockKind::cone && !(block.mu >= 0 && std::isfinite(block.mu))) {
    refuse("is no coefficient of friction", field("mu"), block.mu, ">= 0 [-]");
  }
  if (block.kind == BlockKind::disk && !(block.upper >= 0)) {
    refuse("is no greatest impulse", field("upper"), block.upper, ">= 0 [N s]");
  }
  if (block.kind == BlockKind::box && !(block.lower <= block.upper)) {
    refuse("is below the lower bound", field("upper"), block.upper,
           fmt::format(">= {} [N s]", block.lower));
  }
}

void check_matrix(const ConeMatrix& W) {
  double largest = 0;
  for (const double value : W.value) {
    if (!std::isfinite(value)) refuse("is not finite", "W", value, "finite [1/kg]");
    largest = std::max(largest, std::abs(value));
  }
  const auto check_entry = [&](int i, int j, double value) {
    if (std::abs(value - W(j, i)) > 1e-12 * largest) {
      refuse("is not symmetric", fmt::format("W({}, {})", i, j), value, format_number(W(j, i)));
    }
    if (i == j && value < 0) refuse("is negative", fmt::format("W({0}, {0})", i), value, ">= 0");
  };
  for (int i = 0; i < W.size; ++i) {
    if (W.is_dense()) {
      for (int j = 0; j <= i; ++j) check_entry(i, j, W(i, j));
      continue;
    }
    for (int k = W.start[static_cast<std::size_t>(i)]; k < W.start[static_cast<std::size_t>(i) + 1];
         ++k) {
      check_entry(i, W.column[static_cast<std::size_t>(k)], W.value[static_cast<std::size_t>(k)]);
    }
  }
}

/// Sum over blocks of weight² |r - P(r - ρ û)|², where rule(block) gives {ρ, weight}.
template <class Rule>
double residual_by(const ConeProblem& problem, std::span<const double> r, const Rule& rule) {
  double sum = 0;
  for (const ConeBlock& block : problem.blocks) {
    double u[3] = {};
    for (int k = 0; k < rows_of(block.kind); ++k) {
      const int row = block.row + k;
      u[k] = problem.W.row_times(row, r.data()) + problem.q[static_cast<std::size_t>(row)];
    }
    const auto [rho, weight] = rule(block);
    sum += weight * weight *
           natural_map_squared(block, &r[static_cast<std::size_t>(block.row)], u, rho);
  }
  const double scale = Eigen::Map<const VecX>(problem.q.data(), problem.rows()).norm();
  return std::sqrt(sum) / (scale > 0 ? scale : 1);
}

}  // namespace

void ConeMatrix::set_dense(int rows) {
  size = rows;
  start.clear();
  column.clear();
  value.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows), 0.0);
}

double ConeMatrix::row_times(int i, const double* x) const {
  if (is_dense()) return dense().col(i).dot(Eigen::Map<const VecX>(x, size));
  double sum = 0;
  for (int k = start[static_cast<std::size_t>(i)]; k < start[static_cast<std::size_t>(i) + 1];
       ++k) {
    sum += value[static_cast<std::size_t>(k)] * x[column[static_cast<std::size_t>(k)]];
  }
  return sum;
}

double ConeMatrix::operator()(int i, int j) const {
  if (is_dense()) return dense()(i, j);
  const auto first = column.begin() + start[static_cast<std::size_t>(i)];
  const auto last = column.begin() + start[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  if (found == last || *found != j) return 0;
  return value[static_cast<std::size_t>(found - column.begin())];
}

double& ConeMatrix::diagonal(int i) {
  if (is_dense()) return value[at(i) * at(size + 1)];
  const auto first = column.begin() + start[at(i)], last = column.begin() + start[at(i + 1)];
  return value[static_cast<std::size_t>(std::lower_bound(first, last, i) - column.begin())];
}

void ConeMatrix::set_part(const ConeMatrix& W, std::span<const int> rows, std::vector<int>& place) {
  const int count = static_cast<int>(rows.size());
  if (W.is_dense()) {
    set_dense(count);
    for (int i = 0; i < count; ++i) {
      const double* from = W.value.data() + at(rows[at(i)]) * at(W.size);
      for (int j = 0; j < count; ++j) value[at(i * count + j)] = from[rows[at(j)]];
    }
    return;
  }
  place.assign(at(W.size), -1);
  for (int i = 0; i < count; ++i) place[at(rows[at(i)])] = i;
  size = count;
  start.assign(1, 0);
  column.clear();
  value.clear();
  for (const int row : rows) {
    for (int k = W.start[at(row)]; k < W.start[at(row + 1)]; ++k) {
      const int to = place[at(W.column[at(k)])];
      if (to < 0) continue;
      column.push_back(to);
      value.push_back(W.value[at(k)]);
    }
    start.push_back(static_cast<int>(column.size()));
  }
}

int ConeProblem::add_cone(double mu) { return append(blocks, {.kind = BlockKind::cone, .mu = mu}); }
int ConeProblem::add_bilateral() { return append(blocks, {.kind = BlockKind::bilateral}); }
int ConeProblem::add_unilateral() { return append(blocks, {.kind = BlockKind::unilateral}); }
int ConeProblem::add_box(double lower, double upper) {
  return append(blocks, {.kind = BlockKind::box, .lower = lower, .upper = upper});
}
int ConeProblem::add_disk(double most) {
  return append(blocks, {.kind = BlockKind::disk, .upper = most});
}

void validate(const ConeProblem& problem) {
  int row = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    check_block(problem.blocks[b], b, row);
    row += rows_of(problem.blocks[b].kind);
  }
  const std::size_t rows = static_cast<std::size_t>(row);
  const std::string legal = fmt::format("{}, the rows of the blocks", row);
  if (problem.W.size != row) refuse("has another size", "W", problem.W.size, legal);
  if (problem.q.size() != rows) {
    refuse("has another size", "q", static_cast<double>(problem.q.size()), legal);
  }
  for (const double value : problem.q) {
    if (!std::isfinite(value)) refuse("is not finite", "q", value, "finite [m/s]");
  }
  check_matrix(problem.W);
}

double cone_residual(const ConeProblem& problem, std::span<const double> r) {
  return residual_by(problem, r, [&problem](const ConeBlock& block) {
    double diagonal = 0;
    for (int k = 0; k < rows_of(block.kind); ++k) {
      diagonal += problem.W(block.row + k, block.row + k);
    }
    // A block that no impulse moves is judged by its velocity alone.
    const double lambda = diagonal > 0 ? diagonal / rows_of(block.kind) : 1;
    return std::pair(1 / lambda, lambda);
  });
}

double cone_residual(const ConeProblem& problem, std::span<const double> r, double rho) {
  return residual_by(problem, r, [rho](const ConeBlock&) { return std::pair(rho, 1.0); });
}

}  // namespace grouser::internal
