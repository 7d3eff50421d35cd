#include "assets/rock_size.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assets/exponential_integral.h"
#include "assets/portable_math.h"

namespace grouser::internal {
namespace {

/// Decay q of the covered area with the diameter [1/m]. Golombek & Rapp (1997), equation 3.
double decay(double k) { return 1.79 + 0.152 / k; }

double golombek_rapp(double k, double diameter) {
  const double q = decay(k), x = q * diameter;
  const double bracket = portable::exp(-x) / diameter - q * exponential_integral(x);
  return 4 * k * q / std::numbers::pi * bracket;
}

/// -dN/dD.
double golombek_rapp_density(double k, double diameter) {
  const double q = decay(k);
  return 4 * k * q / std::numbers::pi * portable::exp(-q * diameter) / (diameter * diameter);
}

/// The diameter at which N(>D) = count, between two bounds. Newton's method in log D, in which N is
/// nearly straight, kept between bounds that close in.
double golombek_rapp_inverse(double k, double count, double low, double high) {
  constexpr int kMostSteps = 100;
  constexpr double kClose = 1e-14;
  double diameter = std::sqrt(low * high);
  for (int step = 0; step < kMostSteps; ++step) {
    const double excess = golombek_rapp(k, diameter) / count - 1;
    (excess > 0 ? low : high) = diameter;
    const double slope = diameter * golombek_rapp_density(k, diameter) / count;
    double next = diameter * portable::exp(std::clamp(excess / slope, -1.0, 1.0));
    if (!(low < next && next < high)) next = std::sqrt(low * high);
    const bool settled = std::abs(next - diameter) <= kClose * diameter;
    diameter = next;
    if (settled || high - low <= kClose * high) break;
  }
  return diameter;
}

}  // namespace

RockSizeSpec resolved(const RockSizeSpec& spec) {
  RockSizeSpec result = spec;
  result.site = RockSite::custom;
  const auto mars = [&](double k) {
    result.law = RockLaw::golombek_rapp;
    result.k = k;
  };
  const auto small_body = [&](double index) {
    result.law = RockLaw::power;
    result.index = index;
  };
  const auto moon = [&](double coefficient, double index) {
    small_body(index);
    result.coefficient = coefficient;
  };
  switch (spec.site) {
    case RockSite::custom:
      break;
    case RockSite::pathfinder:
      mars(0.19);
      break;
    case RockSite::spirit:
      mars(0.05);
      break;
    case RockSite::insight:
      mars(0.03);
      break;
    case RockSite::phoenix:
      mars(0.02);
      break;
    case RockSite::ryugu:
      small_body(2.65);
      break;
    case RockSite::itokawa:
      small_body(3.05);
      break;
    case RockSite::eros:
      small_body(3.25);
      break;
    case RockSite::phobos:
      small_body(3.2);
      break;
    case RockSite::lunar:
      moon(3e-4, 2.482);
      break;
    case RockSite::lunar_low:
      moon(1e-4, 1.755);
      break;
    case RockSite::lunar_high:
      moon(2e-3, 2.661);
      break;
  }
  return result;
}

double expected_count_above(const RockSizeSpec& spec, double diameter) {
  const RockSizeSpec law = resolved(spec);
  if (law.law == RockLaw::golombek_rapp) return golombek_rapp(law.k, diameter);
  return law.coefficient * portable::pow(diameter, -law.index);
}

double expected_count(const RockSizeSpec& spec) {
  return expected_count_above(spec, spec.min_diameter) -
         expected_count_above(spec, spec.max_diameter);
}

double diameter_at(const RockSizeSpec& spec, double fraction) {
  const RockSizeSpec law = resolved(spec);
  const double most = expected_count_above(law, law.min_diameter);
  const double least = expected_count_above(law, law.max_diameter);
  const double count = least + fraction * (most - least);
  const double diameter =
      law.law == RockLaw::golombek_rapp
          ? golombek_rapp_inverse(law.k, count, law.min_diameter, law.max_diameter)
          : portable::pow(count / law.coefficient, -1 / law.index);
  return std::clamp(diameter, law.min_diameter, law.max_diameter);
}

}  // namespace grouser::internal
