#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/wheel/bekker_wong_reece.h"
#include "lab/scm_reproduction_parts.h"
#include "render/figure.h"

/// A wheel with grousers in a lunar simulant, beside what was measured.
namespace grouser::internal {
namespace {

/// Single-wheel tests at NASA's Glenn Research Center in GRC-3, as read off figures of Hu et al. (2024), arXiv
/// 2405.11001: 17.5 kg on a wheel of 0.25 m radius over the tips of 24 grousers of 25 mm, 0.20 m wide, that turns at
/// 0.8 rad/s.
constexpr double kTipRadius = 0.25, kHeight = 0.025, kWidth = 0.2, kLoad = 17.5 * 9.80665;
constexpr double kRate = 0.8;  // [rad/s]

struct PullTest {
  double slip;  ///< 1 - v/(ωr), r to the tips [-]
  double pull;  ///< over the load [-]
};

constexpr PullTest kTests[] = {
    {-0.0021, -0.029}, {0.0492, 0.1423}, {0.0980, 0.2460}, {0.0988, 0.3044}, {0.2003, 0.3664},
    {0.3001, 0.3612},  {0.3001, 0.4101}, {0.3999, 0.3945}, {0.4016, 0.4641}, {0.4007, 0.4272},
    {0.5014, 0.4532},  {0.6012, 0.4817}, {0.6011, 0.3992}, {0.6004, 0.4799}, {0.7010, 0.4670},
    {0.7010, 0.5715},  {0.8017, 0.6089}, {0.8009, 0.6646}};

/// Slips that are run; in between straight lines.
constexpr double kSlips[] = {-0.05, 0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85};
constexpr std::size_t kCount = std::size(kSlips);

using PullCurve = std::vector<double>;  // pull over load, per slip

PullCurve by_scm(int grousers) {
  WheelRigSpec spec;
  spec.soil = find_soil("grc_3");
  spec.wheel = smooth_wheel(kTipRadius - kHeight, kWidth);
  spec.wheel.grousers = {.count = grousers, .height = kHeight};
  spec.load = kLoad;
  spec.spacing = 0.01;
  PullCurve curve;
  for (const double slip : kSlips) {
    const double reach = grousers > 0 ? kTipRadius : kTipRadius - kHeight;
    spec.speed = (1 - slip) * kRate * reach;
    spec.distance = std::min(0.8, 8 * spec.speed);
    // The rig's slip is that of the rim.
    const double rim = (1 - slip) * reach / (kTipRadius - kHeight);
    const double on_rig = rim <= 1 ? 1 - rim : 1 / rim - 1;
    curve.push_back(run_wheel(spec, {.slip = on_rig}).front().pull.mean / kLoad);
  }
  return curve;
}

PullCurve by_bwr() {
  PullCurve curve;
  for (const double slip : kSlips) {
    const double ratio = slip >= 0 ? slip : 1 / (1 - slip) - 1;
    const BwrBalance balance = bwr_balance({.radius = kTipRadius, .width = kWidth},
                                           find_soil("grc_3"), {.slip = ratio}, kLoad);
    curve.push_back(balance.pull / kLoad);
  }
  return curve;
}

struct TrecComparison {
  PullCurve grousers, smooth, bwr;
};

/// Computed once: both table and figure show it.
const TrecComparison& trec_comparison() {
  static const TrecComparison all{by_scm(24), by_scm(0), by_bwr()};
  return all;
}

double at_slip(const PullCurve& curve, double slip) {
  std::size_t k = 1;
  while (k + 1 < kCount && kSlips[k] < slip) ++k;
  const double part = (slip - kSlips[k - 1]) / (kSlips[k] - kSlips[k - 1]);
  return curve[k - 1] + part * (curve[k] - curve[k - 1]);
}

double misfit(const PullCurve& curve) {
  double sum = 0;
  for (const PullTest& test : kTests) sum += std::pow(at_slip(curve, test.slip) - test.pull, 2);
  return std::sqrt(sum / static_cast<double>(std::size(kTests)));
}

}  // namespace

// No figure says how well wheels with grousers can be predicted; misfits are told, beside that of the classical wheel of
// Bekker, Wong and Reece (BWR) with the tips as its radius. As measured, pull must not fall with slip up to 0.6: a wheel
// that digs itself in by its grousers does.
std::vector<ReproductionRow> scm_trec_wheel() {
  const TrecComparison& all = trec_comparison();
  const auto pull = [&](double slip) { return at_slip(all.grousers, slip); };
  return {holds(fmt::format("pull / load rises: {:.2f}, {:.2f}, {:.2f} at slip 0.2, 0.4, 0.6; rms "
                            "misfit of 18 tests {:.3f} (BWR {:.3f})",
                            pull(0.2), pull(0.4), pull(0.6), misfit(all.grousers), misfit(all.bwr)),
                pull(0.2) < pull(0.4) && pull(0.4) < pull(0.6)),
          holds(fmt::format("slip 0.2: pull / load {:.2f} with grousers > {:.2f} without",
                            pull(0.2), at_slip(all.smooth, 0.2)),
                pull(0.2) > at_slip(all.smooth, 0.2))};
}

Figure trec_wheel_figure() {
  Series measured{.label = "measured", .line = false, .markers = true};
  for (const PullTest& test : kTests) {
    measured.x.push_back(test.slip);
    measured.y.push_back(test.pull);
  }
  Panel panel{.title = "24 grousers in GRC-3",
              .x = {.label = "slip, over the tips [-]"},
              .y = {.label = "pull / load [-]"}};
  const std::vector<double> slips(std::begin(kSlips), std::end(kSlips));
  panel.series = {
      measured,
      {.label = "SCM", .x = slips, .y = trec_comparison().grousers},
      {.label = "SCM, smooth", .x = slips, .y = trec_comparison().smooth},
      {.label = "Bekker, Wong, Reece", .x = slips, .y = trec_comparison().bwr, .dashed = true}};
  return {.panels = {panel}};
}

}  // namespace grouser::internal
