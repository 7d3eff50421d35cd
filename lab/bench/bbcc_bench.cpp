#include "lab/bench/bbcc_bench.h"

#include <array>
#include <chrono>
#include <limits>

#include "contact/bbcc/bbcc_system.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "geometry/convex_hull.h"
#include "lab/bench/bbcc_pairs.h"
#include "scene/load_scene.h"
#include "sim/simulate.h"

/// Pairs of random solids of 0.2 to 1 m at random attitudes, 5 mm deep in each other: with the contact
/// points, on one core. Others, measured elsewhere on a quiet machine of this kind: box on box 0.72 µs
/// (libccd), 0.42 (ODE), 0.31 (Bullet, single precision); libccd cylinder on box 1.38, on cylinder 1.59, hulls
/// of 100 vertices 4.3 µs.
namespace grouser::internal {
namespace {

constexpr int kPairs = 2000;
constexpr double kDepth = 0.005;

enum class Kind { box, cylinder, hull };

Vec3 random_vector(CounterRng& rng) {
  const double x = rng.normal(), y = rng.normal();
  return {x, y, rng.normal()};
}

Mat3 random_rotation(CounterRng& rng) {
  const double w = rng.normal(), x = rng.normal(), y = rng.normal();
  return Quat(w, x, y, rng.normal()).normalized().toRotationMatrix();
}

Convex random_solid(CounterRng& rng, Kind kind) {
  const double x = rng.uniform(0.2, 1), y = rng.uniform(0.2, 1), z = rng.uniform(0.2, 1);
  if (kind == Kind::box) return BoxShape{.size = {x, y, z}};
  if (kind == Kind::cylinder) return CylinderShape{.radius = 0.5 * x, .length = y};
  std::vector<Vec3> points;
  for (int k = 0; k < 100; ++k) {
    const Vec3 axes(0.25 + 0.25 * x, 0.25 + 0.25 * y, 0.25 + 0.25 * z);
    points.push_back(axes.cwiseProduct(random_vector(rng).normalized()));
  }
  return std::make_shared<const HullSolid>(convex_hull(points));
}

/// Mean time [ns] of work(k), k < count. Timed in groups, each several times: the best of each counts, since
/// whoever else uses the machine can only add to it.
double time_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t kGroups = 20;
  constexpr int kRounds = 60;
  std::array<double, kGroups> best;
  best.fill(std::numeric_limits<double>::infinity());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t k = group * count / kGroups; k < (group + 1) * count / kGroups; ++k) work(k);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      best[group] = std::min(best[group], taken.count());
    }
  }
  double sum = 0;
  for (const double seconds : best) sum += seconds;
  return 1e9 * sum / static_cast<double>(count);
}

/// Moves B along a random line until it is as deep in A as wanted.
void approach(const Vec3& way, BenchPair& pair) {
  double near = 0, far = 3;
  ContactPatch patch;
  for (int k = 0; k < 50; ++k) {
    const double distance = 0.5 * (near + far);
    pair.X_WB.p = distance * way;
    const bool is_deep =
        find_patch(pair.A, pair.X_WA, pair.B, pair.X_WB, {}, patch) && patch.depth > kDepth;
    (is_deep ? near : far) = distance;
  }
  pair.X_WB.p = near * way;
}

BenchPairs make_pairs(Kind a, Kind b) {
  CounterRng rng(1);
  std::vector<Convex> of_a, of_b;  // hulls take long to build
  for (int k = 0; k < 50; ++k) {
    of_a.push_back(random_solid(rng, a));
    of_b.push_back(random_solid(rng, b));
  }
  BenchPairs pairs;
  for (int k = 0; k < kPairs; ++k) {
    BenchPair pair{of_a[rng.index(50)], of_b[rng.index(50)]};
    pair.X_WA.R = random_rotation(rng);
    pair.X_WB.R = random_rotation(rng);
    approach(random_vector(rng).normalized(), pair);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

double time_ours(const BenchPairs& pairs) {
  ContactPatch patch;
  return time_pairs(pairs, [&](const BenchPair& pair) {
    find_patch(pair.A, pair.X_WA, pair.B, pair.X_WB, {}, patch);
  });
}

void add_rows(const std::string& name, const BenchPairs& pairs, std::vector<BenchRow>& rows) {
  rows.push_back({name + "_ns", time_ours(pairs), "ns"});
  if (const auto ns = time_libccd(pairs)) rows.push_back({name + "_libccd_ns", *ns, "ns"});
  if (const auto ns = time_bullet(pairs)) rows.push_back({name + "_bullet_ns", *ns, "ns"});
}

double time_far() {
  BenchPairs pairs = make_pairs(Kind::box, Kind::cylinder);
  for (BenchPair& pair : pairs) pair.X_WB.p *= 5;
  return time_ours(pairs);
}

/// Where the parts of the rover are while it climbs over the obstacle course, 50 times a second.
class Course : public Observer {
 public:
  explicit Course(const World& world) : contacts_(find_contacts<BbccSystem>(world)->scene()) {
    simulate(world, initial_state(world), {.end_time = 15}, *this);
  }
  void on_sample(const Sample& sample) override {
    if (sample.time < 10) return;
    std::vector<Pose>& X_WE = poses.emplace_back(contacts_.elements().size());
    for (const int e : contacts_.moving()) {
      const ContactElement& element = contacts_.elements()[static_cast<std::size_t>(e)];
      X_WE[static_cast<std::size_t>(e)] =
          sample.X_WB[static_cast<std::size_t>(element.body)] * element.X_BE;
    }
  }

  std::vector<std::vector<Pose>> poses;

 private:
  const BbccScene& contacts_;
};

/// One pass over 57 parts of a rover and 38 obstacles: broad phase, narrow phase, forces.
double time_scout_pass() {
  const World world = load_builtin_scene("parcours");
  const Course course(world);
  const BbccScene& contacts = find_contacts<BbccSystem>(world)->scene();
  const std::vector<Twist> V_WE(contacts.elements().size());
  const BbccState state;
  BbccScratch scratch(contacts);
  const int threads = thread_count();
  set_thread_count(1);
  const double ns = time_each(course.poses.size(), [&](std::size_t k) {
    bbcc_force(contacts, course.poses[k], V_WE, state, scratch);
  });
  set_thread_count(threads);
  return 1e-3 * ns;
}

}  // namespace

double time_pairs(const BenchPairs& pairs, const std::function<void(const BenchPair&)>& work) {
  return time_each(pairs.size(), [&](std::size_t k) { work(pairs[k]); });
}

std::vector<BenchRow> bbcc_bench() {
  std::vector<BenchRow> rows;
  add_rows("box_box", make_pairs(Kind::box, Kind::box), rows);
  add_rows("cylinder_box", make_pairs(Kind::cylinder, Kind::box), rows);
  add_rows("cylinder_cylinder", make_pairs(Kind::cylinder, Kind::cylinder), rows);
  add_rows("hull100_hull100", make_pairs(Kind::hull, Kind::hull), rows);
  rows.push_back({"far_ns", time_far(), "ns"});
  rows.push_back({"scout_pass_us", time_scout_pass(), "us"});
  return rows;
}

}  // namespace grouser::internal
