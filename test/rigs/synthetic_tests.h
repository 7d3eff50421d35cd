#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/rng.h"
#include "rigs/soil_tests.h"

/// Campaigns whose truth is known.
namespace grouser::internal {

struct Campaign {
  double k_c = 1.5e4, k_phi = 2e6, n = 1.1;            // [N/m^(n+1)], [N/m^(n+2)], [-]
  double cohesion = 800, slope = 0.6, length = 0.012;  // [Pa], tan φ [-], K [m]
  std::vector<double> widths = {0.03, 0.05, 0.08};     // [m]
  std::vector<double> stresses = {2e3, 5e3, 1e4};      // [Pa]
  int repeats = 3;
  int points = 15;
  double trial_spread = 0;  // standard deviation of ln of a factor of the whole trial
  double noise = 0;         // of a point's, relative
  double memory = 0;        // correlation of neighbouring points' noise
};

class Noise {
 public:
  Noise(const Campaign& campaign, std::uint64_t seed, std::uint64_t trial)
      : campaign_(campaign), rng_(seed, trial) {
    factor_ = std::exp(campaign.trial_spread * rng_.normal());
    last_ = rng_.normal();
  }
  /// The next point's value, `truth` without noise.
  double next(double truth) {
    const double r = campaign_.memory;
    last_ = r * last_ + std::sqrt(1 - r * r) * rng_.normal();
    return truth * factor_ * (1 + campaign_.noise * last_);
  }

 private:
  const Campaign& campaign_;
  CounterRng rng_;
  double factor_ = 1, last_ = 0;
};

inline std::vector<PlateTest> plate_campaign(const Campaign& campaign, std::uint64_t seed = 0) {
  std::vector<PlateTest> tests;
  for (const double width : campaign.widths) {
    for (int repeat = 0; repeat < campaign.repeats; ++repeat) {
      Noise noise(campaign, seed, tests.size());
      PlateTest test{
          .trial = std::to_string(tests.size()), .width = width, .file = "p.csv", .points = {}};
      for (int i = 1; i <= campaign.points; ++i) {
        const double z = 0.03 * i / campaign.points;
        const double p = (campaign.k_c / width + campaign.k_phi) * std::pow(z, campaign.n);
        test.points.push_back({z, noise.next(p)});
      }
      tests.push_back(test);
    }
  }
  return tests;
}

inline std::vector<ShearTest> shear_campaign(const Campaign& campaign, std::uint64_t seed = 0) {
  std::vector<ShearTest> tests;
  for (const double stress : campaign.stresses) {
    for (int repeat = 0; repeat < campaign.repeats; ++repeat) {
      Noise noise(campaign, seed, 1000 + tests.size());
      ShearTest test{.trial = std::to_string(tests.size()), .file = "s.csv", .points = {}};
      for (int i = 1; i <= campaign.points; ++i) {
        const double j = 0.05 * i / campaign.points;
        const double tau =
            (campaign.cohesion + stress * campaign.slope) * (1 - std::exp(-j / campaign.length));
        test.points.push_back({stress, j, noise.next(tau)});
      }
      tests.push_back(test);
    }
  }
  return tests;
}

}  // namespace grouser::internal
