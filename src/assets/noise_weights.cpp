#include "assets/noise_weights.h"

#include <algorithm>
#include <cmath>

#include "assets/lattice_noise.h"
#include "assets/portable_math.h"

namespace grouser::internal {
namespace {

/// Weight of a lattice node at the distance x along one axis.
double node_weight(double x) {
  const double distance = std::abs(x);
  return distance < 1 ? fade(1 - distance) : 0;
}

struct Overlap {
  double weights = 0;   // ∫ w(x) w(x + ℓ) dx
  double products = 0;  // ∫ w(x) w(x + ℓ) x (x + ℓ) dx
};

// Trapezoidal rule: the integrands vanish smoothly at both ends.
Overlap overlap(double lag) {
  constexpr int kSteps = 256;
  const double begin = -1, width = 2 - lag;  // where both weights are > 0
  Overlap sum;
  if (width <= 0) return sum;
  for (int i = 1; i < kSteps; ++i) {
    const double x = begin + width * i / kSteps;
    const double product = node_weight(x) * node_weight(x + lag);
    sum.weights += product;
    sum.products += product * x * (x + lag);
  }
  sum.weights *= width / kSteps;
  sum.products *= width / kSteps;
  return sum;
}

// With unit gradients of random directions, E[n(p) n(p + ℓ)] = ½ ∫ W(d) W(d + ℓ) d·(d + ℓ) dd over the
// plane, W(d) = w(d_x) w(d_y). Along an axis the integral falls apart into integrals over lines.
double covariance(double lag) {
  const Overlap along = overlap(lag), across = overlap(0);
  return 0.5 * (along.products * across.weights + along.weights * across.products);
}

/// Contributions of the octaves (with amplitude wavelength^H) to the squared deviogram at a lag,
/// relative to the power law.
struct Fit {
  std::vector<std::vector<double>> terms;  // per lag, per octave
};

Fit contributions(double hurst, const std::vector<double>& frequencies, double lag_ratio) {
  constexpr int kLagsPerOctave = 8;
  const double shortest = 1 / frequencies.back();
  const int lags =
      1 +
      static_cast<int>(std::ceil(kLagsPerOctave * portable::log(lag_ratio) / 0.6931471805599453));
  Fit fit;
  for (int k = 0; k < lags; ++k) {
    const double lag = shortest * portable::pow(lag_ratio, static_cast<double>(k) / (lags - 1));
    std::vector<double> terms;
    for (const double f : frequencies) {
      terms.push_back(noise_structure(lag * f) / portable::pow(lag * f, 2 * hurst));
    }
    fit.terms.push_back(std::move(terms));
  }
  return fit;
}

/// Factors on the squared amplitudes for which the sums of all terms come near 1. Multiplicative steps
/// (expectation maximisation of a Poisson model: Richardson 1972, Lucy 1974) keep them positive and
/// even; the number of steps is fixed, so that the result is a fixed function of the inputs.
std::vector<double> fitted_factors(const Fit& fit) {
  constexpr int kSteps = 500;
  const std::size_t octaves = fit.terms.front().size();
  std::vector<double> factors(octaves, 1.0), numerator(octaves), denominator(octaves);
  for (int step = 0; step < kSteps; ++step) {
    std::ranges::fill(numerator, 0.0);
    std::ranges::fill(denominator, 0.0);
    for (const std::vector<double>& terms : fit.terms) {
      double sum = 0;
      for (std::size_t o = 0; o < octaves; ++o) sum += terms[o] * factors[o];
      for (std::size_t o = 0; o < octaves; ++o) {
        numerator[o] += terms[o] / sum;
        denominator[o] += terms[o];
      }
    }
    for (std::size_t o = 0; o < octaves; ++o) factors[o] *= numerator[o] / denominator[o];
  }
  return factors;
}

}  // namespace

double noise_structure(double lag) { return 2 * (covariance(0) - covariance(std::min(lag, 2.0))); }

double noise_rms() { return std::sqrt(covariance(0)); }

std::vector<double> octave_weights(double hurst, int octaves, double lacunarity) {
  std::vector<double> frequencies = {1.0};
  while (static_cast<int>(frequencies.size()) < octaves) {
    frequencies.push_back(frequencies.back() * lacunarity);
  }
  std::vector<double> weights;
  for (const double f : frequencies) weights.push_back(portable::pow(f, -hurst));
  constexpr double kLongestLag = 0.27;  // of the widest cells; beyond, nothing rises any more
  const double lag_ratio = kLongestLag * frequencies.back();
  if (lag_ratio < 2) return weights;
  const std::vector<double> factors = fitted_factors(contributions(hurst, frequencies, lag_ratio));
  for (std::size_t o = 0; o < weights.size(); ++o) weights[o] *= std::sqrt(factors[o]);
  return weights;
}

}  // namespace grouser::internal
