#include "lab/pcm_reproductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/pcm/pcm_force.h"
#include "core/parallel.h"
#include "lab/pcm_examples.h"
#include "sim/simulate.h"

namespace grouser::internal {
namespace {

ReproductionRow yes(std::string quantity, bool is_so) {
  return analytic_row(std::move(quantity), "1: yes", 1, is_so ? 1 : 0, 0);
}

/// The sphere over time, 100 samples a second.
class SphereTrack : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    poses.push_back(sample.X_WB[0]);
    twists.push_back(sample.V_WB[0]);
  }
  /// From when on no point of its surface moves faster than 1 cm/s [s].
  double rest_time() const {
    std::size_t last = twists.size();
    while (last > 0 && twists[last - 1].linear.norm() + twists[last - 1].angular.norm() < 0.01) {
      --last;
    }
    return 0.01 * static_cast<double>(last);
  }

  std::vector<Pose> poses;
  std::vector<Twist> twists;
};

struct TorusRun {
  SphereTrack track;
  RunReport report;

  explicit TorusRun(const TorusSphere& example, double end) {
    const World world = torus_sphere_world(example);
    report = simulate(world, initial_state(world), {.end_time = end}, track);
  }
};

/// Widest angle about z that the patch leaves out [deg], and how many elements it has.
std::pair<double, std::size_t> gap_of_ring(double young, const Pose& X_WS) {
  const World world = torus_sphere_world({.young = young});
  PcmScratch scratch(pcm_scene(world));
  const PcmForce& force =
      pcm_force(pcm_scene(world), std::vector<Pose>{{}, X_WS}, std::vector<Twist>(2), scratch);
  std::vector<double> angles;
  for (const PcmContact& contact : force.contacts) {
    for (const PatchElement& e : contact.patch) angles.push_back(std::atan2(e.p.y(), e.p.x()));
  }
  if (angles.empty()) return {360, 0};
  std::ranges::sort(angles);
  double widest = angles.front() + 2 * std::numbers::pi - angles.back();
  for (std::size_t k = 1; k < angles.size(); ++k) {
    widest = std::max(widest, angles[k] - angles[k - 1]);
  }
  return {widest * 180 / std::numbers::pi, angles.size()};
}

/// Largest difference of forces along a run if E and F change places, over the largest force.
double frame_difference(const std::vector<Pose>& poses) {
  const World base = torus_sphere_world({.options = {.frame = FrameChoice::base}});
  const World target = torus_sphere_world({.options = {.frame = FrameChoice::target}});
  PcmScratch of_base(pcm_scene(base)), of_target(pcm_scene(target));
  const std::vector<Twist> V(2);
  double difference = 0, largest = 0;
  for (const Pose& X : poses) {
    const std::vector<Pose> at = {{}, X};
    const Vec3 a = pcm_force(pcm_scene(base), at, V, of_base).wrenches[1].force;
    const Vec3 b = pcm_force(pcm_scene(target), at, V, of_target).wrenches[1].force;
    difference = std::max(difference, (a - b).norm());
    largest = std::max(largest, a.norm());
  }
  return difference / largest;
}

std::vector<ReproductionRow> torus_sphere() {
  const TorusRun soft({.young = 1e5}, 8), stiff({.young = 1e6}, 8);
  std::vector<ReproductionRow> rows;
  const auto describe = [&](const char* name, double young, const TorusRun& run) {
    const auto [gap, count] = gap_of_ring(young, run.track.poses.back());
    // Chords of the meshes hang through by more than the depth of rest: few elements touch, but all around.
    rows.push_back(
        yes(fmt::format("E {}: patch surrounds the axis, {} elements, widest gap {:.0f} deg", name,
                        count, gap),
            gap < 180));
    rows.push_back(analytic_row(fmt::format("E {}: aside of the centre at 8 s", name), "m", 0,
                                run.track.poses.back().p.head<2>().norm(), 0.02));
    rows.push_back(analytic_row(fmt::format("E {}: deepest; lines reach 0.03", name), "m", 0.015,
                                run.report.contacts.pairs[0].greatest_depth, 0.015));
  };
  describe("1e5", 1e5, soft);
  describe("1e6", 1e6, stiff);
  // The paper's stiffness is 1e6, that of the authors' published example 1e5.
  rows.push_back({.quantity = "E 1e6: at rest after",
                  .unit = "s",
                  .paper = 5,
                  .ours = stiff.track.rest_time(),
                  .tolerance = 1.5});
  rows.push_back(
      yes(fmt::format("E 1e5: at rest within 6 s, after {:.1f} s", soft.track.rest_time()),
          soft.track.rest_time() < 6));
  const int threads = thread_count();
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 5}) {
    set_thread_count(count);
    hashes.push_back(hash(TorusRun({}, 2).report.state));
  }
  set_thread_count(threads);
  rows.push_back(yes("1, 2, 5 threads end in the same bits",
                     hashes[0] == hashes[1] && hashes[1] == hashes[2]));
  const TorusRun classic({.options = {.detection = Detection::intersection}}, 2);
  rows.push_back(
      yes("both detections end in the same bits", hash(classic.report.state) == hashes[0]));
  rows.push_back(analytic_row("E and F exchanged: difference of forces", "-", 0,
                              frame_difference(stiff.track.poses), 1e-9));
  return rows;
}

/// Where the rover is, and how long the run took.
class ScoutTrack : public Observer {
 public:
  void on_sample(const Sample& sample) override {
    if (samples == 0) start = sample.X_WB[0].p;
    end = sample.X_WB[0].p;
    lowest = std::min(lowest, (sample.X_WB[0].R * Vec3::UnitZ()).z());
    ++samples;
  }
  long samples = 0;
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
  double lowest = 1;
};

std::vector<ReproductionRow> scout() {
  const World world = scout_world();
  ScoutTrack track;
  const RunReport report = simulate(world, initial_state(world), {.end_time = 30}, track);
  double deepest = 0;
  for (const PairReport& pair : report.contacts.pairs) {
    deepest = std::max(deepest, pair.greatest_depth);
  }
  return {{.quantity = "travelled in 30 s at 2 rad/s",
           .unit = "m",
           .paper = 9,
           .ours = (track.end - track.start).head<2>().norm(),
           .tolerance = 0.15 * 9},
          yes(fmt::format("faster than real time (paper: 14.4 times slower): {:.1f} s for 30 s",
                          report.wall_time),
              report.wall_time < 30),
          analytic_row(
              fmt::format("deepest, over {} feet; lines reach 0.01", report.contacts.pairs.size()),
              "m", 0.005, deepest, 0.005),
          yes("stays upright", track.lowest > 0.7)};
}

}  // namespace

std::vector<Reproduction> pcm_reproductions() {
  constexpr const char* kPaper = "Polygonal contact model revisited (2023)";
  return {
      {"pcm/torus-sphere", fmt::format("a sphere comes to rest in a torus; {} sec. 4.1", kPaper),
       torus_sphere},
      {"pcm/bubbles", fmt::format("cost over the fineness of the target; {} sec. 4.2", kPaper),
       pcm_bubbles},
      {"pcm/scout", fmt::format("Scout on fractal terrain; {} sec. 4.3", kPaper), scout},
      {"pcm/sharp-edges", fmt::format("boxes slide along each other; {} fig. 2", kPaper),
       pcm_sharp_edges},
  };
}

}  // namespace grouser::internal
