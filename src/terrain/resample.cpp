#include "terrain/resample.h"

#include <algorithm>
#include <cmath>

#include "core/long_task.h"
#include "core/parallel.h"
#include "terrain/interpolation.h"

namespace grouser::internal {
namespace {

// One new node along an axis: weights of old nodes from `first` on.
struct Stencil {
  int first;
  std::vector<double> weights;
};

// ∫ of the hat function of a node at zero, from -∞ to u.
double hat_integral(double u) {
  if (u <= -1) return 0;
  if (u >= 1) return 1;
  return u < 0 ? 0.5 * (1 + u) * (1 + u) : 1 - 0.5 * (1 - u) * (1 - u);
}

// The mean of the polygon over u ± half; all in old spacings.
Stencil averaging(double u, double half, int count) {
  half = std::min({half, u, count - 1 - u});
  const int first = std::max(static_cast<int>(std::floor(u - half)), 0);
  const int last = std::min(static_cast<int>(std::ceil(u + half)), count - 1);
  Stencil stencil{first, {}};
  for (int k = first; k <= last; ++k) {
    stencil.weights.push_back((hat_integral(u + half - k) - hat_integral(u - half - k)) /
                              (2 * half));
  }
  return stencil;
}

// Cubic convolution; what falls on the node continued beyond a border is shared out to the two on
// whose line it lies.
Stencil cubic(double u, int count) {
  const int i = std::min(static_cast<int>(u), count - 2);
  const CubicWeights w = cubic_weights(u - i);
  const double before = i > 0 ? 0 : w.value[0], after = i + 2 < count ? 0 : w.value[3];
  std::vector<double> weights;
  if (i > 0) weights.push_back(w.value[0]);
  weights.push_back(w.value[1] + 2 * before - after);
  weights.push_back(w.value[2] + 2 * after - before);
  if (i + 2 < count) weights.push_back(w.value[3]);
  return {i > 0 ? i - 1 : i, std::move(weights)};
}

std::vector<Stencil> stencils(int count, double spacing, double wanted) {
  const double ratio = wanted / spacing;
  const int wanted_count = static_cast<int>(resampled_count(count, spacing, wanted));
  std::vector<Stencil> result;
  for (int k = 0; k < wanted_count; ++k) {
    const double u = std::min(k * ratio, count - 1.0);
    constexpr double kPoint = 1e-9;  // a mean over less is the point itself
    const bool averages = ratio > 1 && std::min(u, count - 1 - u) > kPoint;
    result.push_back(averages ? averaging(u, 0.5 * ratio, count) : cubic(u, count));
  }
  return result;
}

// Along x: from grid.nx to stencils.size() nodes a row.
PixelGrid along_x(const PixelGrid& grid, const std::vector<Stencil>& nodes) {
  PixelGrid out{static_cast<int>(nodes.size()), grid.ny, grid.spacing, {}};
  out.heights.resize(nodes.size() * static_cast<std::size_t>(grid.ny));
  LongTask task("resampling heights", static_cast<std::size_t>(grid.ny));
  parallel_for(static_cast<std::size_t>(grid.ny), 16, [&](std::size_t begin, std::size_t end) {
    task.advance(end - begin);
    for (std::size_t j = begin; j < end; ++j) {
      const double* from = grid.heights.data() + j * static_cast<std::size_t>(grid.nx);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < nodes[i].weights.size(); ++k) {
          sum += nodes[i].weights[k] * from[static_cast<std::size_t>(nodes[i].first) + k];
        }
        out.heights[j * nodes.size() + i] = sum;
      }
    }
  });
  return out;
}

PixelGrid along_y(const PixelGrid& grid, const std::vector<Stencil>& nodes) {
  const std::size_t nx = static_cast<std::size_t>(grid.nx);
  PixelGrid out{grid.nx, static_cast<int>(nodes.size()), grid.spacing, {}};
  out.heights.assign(nodes.size() * nx, 0);
  LongTask task("resampling heights", nodes.size());
  parallel_for(nodes.size(), 16, [&](std::size_t begin, std::size_t end) {
    task.advance(end - begin);
    for (std::size_t j = begin; j < end; ++j) {
      double* to = out.heights.data() + j * nx;
      for (std::size_t k = 0; k < nodes[j].weights.size(); ++k) {
        const double* from =
            grid.heights.data() + (static_cast<std::size_t>(nodes[j].first) + k) * nx;
        for (std::size_t i = 0; i < nx; ++i) to[i] += nodes[j].weights[k] * from[i];
      }
    }
  });
  return out;
}

}  // namespace

double resampled_count(int count, double spacing, double wanted) {
  return std::floor((count - 1) * (spacing / wanted) + 1e-6) + 1;
}

PixelGrid resample(const PixelGrid& grid, double wanted) {
  PixelGrid out = along_x(grid, stencils(grid.nx, grid.spacing.x(), wanted));
  out = along_y(out, stencils(grid.ny, grid.spacing.y(), wanted));
  out.spacing = Vec2::Constant(wanted);
  return out;
}

}  // namespace grouser::internal
