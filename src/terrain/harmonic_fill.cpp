#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/long_task.h"
#include "terrain/no_data_fill.h"

namespace grouser::internal {
namespace {

using Field = std::vector<double>;

// Unknown nodes of one level, and what a cycle needs there. The equation of an unknown node is
// (number of neighbours) u - Σ unknown neighbours = f; a border reflects.
struct Level {
  int nx = 0, ny = 0;
  std::vector<std::uint8_t> unknown;
  Field u, f;

  std::size_t size() const { return unknown.size(); }
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i);
  }
};

// Known nodes hold zero, so that they need not be told apart.
double neighbour_sum(const Level& level, const Field& u, int i, int j, int& count) {
  const std::size_t k = level.at(i, j), row = static_cast<std::size_t>(level.nx);
  double sum = 0;
  count = 0;
  if (i > 0) sum += u[k - 1], ++count;
  if (i + 1 < level.nx) sum += u[k + 1], ++count;
  if (j > 0) sum += u[k - row], ++count;
  if (j + 1 < level.ny) sum += u[k + row], ++count;
  return sum;
}

// Calls f(i, j, k) for the unknown nodes with (i + j) % 2 == colour.
template <class F>
void for_colour(const Level& level, int colour, F&& f) {
  for (int j = 0; j < level.ny; ++j) {
    for (int i = (j + colour) % 2; i < level.nx; i += 2) {
      const std::size_t k = level.at(i, j);
      if (level.unknown[k]) f(i, j, k);
    }
  }
}

void relax(Level& level, int colour) {
  for_colour(level, colour, [&](int i, int j, std::size_t k) {
    int count;
    const double sum = neighbour_sum(level, level.u, i, j, count);
    level.u[k] = (level.f[k] + sum) / count;
  });
}

// A u at the unknown nodes, zero elsewhere.
void apply(const Level& level, const Field& u, Field& out) {
  for (int colour : {0, 1}) {
    for_colour(level, colour, [&](int i, int j, std::size_t k) {
      int count;
      const double sum = neighbour_sum(level, u, i, j, count);
      out[k] = count * u[k] - sum;
    });
  }
}

// 2 x 2 nodes make one of the next level, unknown if all of them are.
Level coarser(const Level& fine) {
  Level level{(fine.nx + 1) / 2, (fine.ny + 1) / 2, {}, {}, {}};
  level.unknown.assign(static_cast<std::size_t>(level.nx) * static_cast<std::size_t>(level.ny), 1);
  for (int j = 0; j < fine.ny; ++j) {
    for (int i = 0; i < fine.nx; ++i)
      level.unknown[level.at(i / 2, j / 2)] &= fine.unknown[fine.at(i, j)];
  }
  level.u.assign(level.size(), 0);
  level.f.assign(level.size(), 0);
  return level;
}

// The sum of the residuals of the 2 x 2 nodes is the right-hand side of the coarse node: the
// transpose of giving its correction to all of them.
void restrict_residual(const Level& fine, Level& coarse) {
  std::fill(coarse.f.begin(), coarse.f.end(), 0.0);
  for (int colour : {0, 1}) {
    for_colour(fine, colour, [&](int i, int j, std::size_t k) {
      const std::size_t parent = coarse.at(i / 2, j / 2);
      if (!coarse.unknown[parent]) return;
      int count;
      const double sum = neighbour_sum(fine, fine.u, i, j, count);
      coarse.f[parent] += fine.f[k] - (count * fine.u[k] - sum);
    });
  }
}

// One symmetric V cycle for A u = f of the first level, from u = 0.
void cycle(std::vector<Level>& levels, std::size_t depth) {
  Level& level = levels[depth];
  const bool last = depth + 1 == levels.size();
  const int sweeps = last ? 20 : 2;
  std::fill(level.u.begin(), level.u.end(), 0.0);
  for (int sweep = 0; sweep < sweeps; ++sweep) relax(level, 0), relax(level, 1);
  if (!last) {
    Level& coarse = levels[depth + 1];
    restrict_residual(level, coarse);
    cycle(levels, depth + 1);
    for (int j = 0; j < level.ny; ++j) {
      for (int i = 0; i < level.nx; ++i)
        level.u[level.at(i, j)] += coarse.u[coarse.at(i / 2, j / 2)];
    }
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) relax(level, 1), relax(level, 0);
}

std::vector<Level> make_levels(const std::vector<double>& heights, int nx, int ny) {
  std::vector<Level> levels(1);
  levels[0].nx = nx, levels[0].ny = ny;
  for (const double height : heights) levels[0].unknown.push_back(std::isnan(height));
  levels[0].u.assign(heights.size(), 0);
  levels[0].f.assign(heights.size(), 0);
  while (levels.back().nx > 4 && levels.back().ny > 4) {
    Level next = coarser(levels.back());
    if (std::find(next.unknown.begin(), next.unknown.end(), 1) == next.unknown.end()) break;
    levels.push_back(std::move(next));
  }
  return levels;
}

double dot(const Field& a, const Field& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double largest(const Field& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

// Conjugate gradients with a V cycle before each step. `x` starts as a guess, r as its residual.
FillReport solve(std::vector<Level>& levels, Field& x, Field& r, double tolerance) {
  constexpr int kMaxIterations = 300;  // some 20 are needed
  const Level& fine = levels[0];
  Field p(x.size(), 0), Ap(x.size(), 0);
  double last_rz = 0;
  FillReport report;
  LongTask task("filling holes", kMaxIterations);
  for (report.residual = largest(r); report.residual > tolerance; report.residual = largest(r)) {
    task.advance();
    if (report.iterations == kMaxIterations) {
      report.converged = false;
      break;
    }
    levels[0].f = r;
    cycle(levels, 0);
    const double rz = dot(r, fine.u);
    const double beta = report.iterations++ > 0 ? rz / last_rz : 0;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = fine.u[k] + beta * p[k];
    apply(fine, p, Ap);
    const double alpha = rz / dot(p, Ap);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += alpha * p[k], r[k] -= alpha * Ap[k];
    last_rz = rz;
  }
  return report;
}

}  // namespace

FillReport fill_harmonic(std::vector<double>& heights, int nx, int ny) {
  std::vector<Level> levels = make_levels(heights, nx, ny);
  const Level& fine = levels[0];
  const FillReport guess = fill_nearest(heights, nx, ny);
  if (guess.filled == 0) return guess;
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double base = *low,
               relief = *high - *low;  // heights are kept over the lowest, to save digits
  for (double& height : heights) height -= base;

  // Residual of the guess: the mean of the neighbours, known or not, against the node.
  Field r(heights.size(), 0), x(heights.size(), 0);
  apply(fine, heights, r);
  for (double& value : r) value = -value;
  FillReport report = solve(levels, x, r, 1e-12 * relief);
  report.filled = guess.filled;
  for (std::size_t k = 0; k < heights.size(); ++k) heights[k] += base + x[k];
  return report;
}

}  // namespace grouser::internal
