#include "lab/bench/nonsmooth_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/error.h"
#include "core/long_task.h"
#include "geometry/child_process.h"
#include "lab/bench/nonsmooth_siconos.h"
#include "lab/bench/step_bench.h"
#include "lab/cone_samples.h"
#include "nonsmooth/cone_solver.h"
#include "record/cone_file.h"

/// Cold starts, from zero to a residual of 1e-8. Others, measured elsewhere on a quiet machine of this kind, best of
/// Siconos' solvers: Rover9770 0.01 ms, OneObject-i100000-499 2.0, BoxesStack1 120, Capsules-i122 73, KaplasTower
/// 18; medians over 44 public problems of at most 9, 10 to 60 and 61 to 570 contacts 0.056, 2.7 and 64 ms.
namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
constexpr double kTolerance = 1e-8;

struct Timed {
  double ms = std::numeric_limits<double>::infinity();
  double residual = 0;
};

/// Best of several, for at least a twentieth of a second; the same for all. `solve` gives its own time [ms].
template <class Solve>
double best_of_several(const Solve& solve) {
  constexpr int kLeast = 3, kMost = 1000;
  constexpr double kBudget = 50;  // [ms]
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int k = 0; k < kLeast || (k < kMost && spent < kBudget); ++k) {
    const double ms = solve();
    best = std::min(best, ms);
    spent += ms;
    if (spent > 10 * kBudget) break;
  }
  return best;
}

Timed time_ours(const ConeProblem& problem, ConeSolver& solver) {
  std::vector<double> r;
  Timed result;
  result.ms = best_of_several([&] {
    r.assign(problem.q.size(), 0.0);
    const auto start = std::chrono::steady_clock::now();
    solver.solve(problem, {.tolerance = kTolerance}, r);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    return taken.count();
  });
  result.residual = cone_residual(problem, r);
  return result;
}

/// Its own tolerance is tightened until our residual is met, or it gives up; only the run that meets it is timed.
Timed tighten_siconos(const ConeProblem& problem, SiconosSolver solver) {
  constexpr double kTightest = 1e-15;
  double tolerance = kTolerance;
  Timed result;
  for (;; tolerance *= 0.1) {
    const SiconosResult tried = solve_by_siconos(problem, solver, tolerance);
    result = {.ms = tried.ms, .residual = cone_residual(problem, tried.r)};
    if (result.residual <= kTolerance) break;
    if (tried.has_given_up || tolerance < kTightest) return result;
  }
  result.ms = best_of_several([&] { return solve_by_siconos(problem, solver, tolerance).ms; });
  return result;
}

/// In a child process, as some solvers take minutes for some problems, print, or crash: what has no result after
/// kPatience counts as not solved.
Timed time_siconos(const ConeProblem& problem, SiconosSolver solver) {
  constexpr double kPatience = 10;  // [s], thousands of times what we need
  constexpr std::uint64_t kMemory = std::uint64_t{8} << 30;
  ChildProcess child({.memory_bytes = kMemory, .seconds = kPatience}, [&](int pipe) {
    const Timed timed = tighten_siconos(problem, solver);
    write_all(pipe, &timed, sizeof timed);
  });
  Timed timed;
  if (child.read(&timed, sizeof timed)) return timed;
  return {.residual = std::numeric_limits<double>::infinity()};
}

/// Times of a class of problems, by their number of contacts.
class SizeClasses {
 public:
  void add(const ConeProblem& problem, double ms, double residual) {
    Class& mine = classes_[problem.blocks.size() <= 9 ? 0 : problem.blocks.size() <= 60 ? 1 : 2];
    ++mine.count;
    if (residual <= kTolerance) mine.ms.push_back(ms);
  }
  void append(const std::string& name, std::vector<BenchRow>& rows) {
    for (Class& one : classes_) {
      const double solved = static_cast<double>(one.ms.size());
      rows.push_back(
          {name + "_" + one.name + "_solved", 100 * solved / std::max(1, one.count), "%"});
      // The median over all; what was not solved counts as slower than all that was.
      const std::size_t half = static_cast<std::size_t>(one.count) / 2;
      if (half >= one.ms.size()) continue;
      const auto middle = one.ms.begin() + static_cast<std::ptrdiff_t>(half);
      std::nth_element(one.ms.begin(), middle, one.ms.end());
      rows.push_back({name + "_" + one.name + "_ms", *middle, "ms"});
    }
  }
  int count() const {
    int sum = 0;
    for (const Class& one : classes_) sum += one.count;
    return sum;
  }
  double solved_percent() const {
    double solved = 0;
    int count = 0;
    for (const Class& one : classes_) {
      solved += static_cast<double>(one.ms.size());
      count += one.count;
    }
    return 100 * solved / std::max(1, count);
  }

 private:
  struct Class {
    const char* name;
    int count = 0;
    std::vector<double> ms = {};
  };
  std::array<Class, 3> classes_ = {{{"upto9"}, {"upto60"}, {"over60"}}};
};

void add_generated(ConeSolver& solver, std::vector<BenchRow>& rows) {
  SizeClasses ours;
  LongTask task("solving generated problems", kConeSamples);
  for (int i = 0; i < kConeSamples; ++i) {
    task.advance();
    const ConeProblem problem = make_cone_sample(i).problem;
    const Timed timed = time_ours(problem, solver);
    ours.add(problem, timed.ms, timed.residual);
  }
  rows.push_back({"generated_solved", ours.solved_percent(), "%"});
  ours.append("generated", rows);
}

/// A solver of Siconos and how it did.
struct Rival {
  SiconosSolver solver;
  const char* name;
  SizeClasses times = {};
};

std::array<Rival, 4> rivals() {
  return {{{SiconosSolver::nsgs, "nsgs"},
           {SiconosSolver::newton, "nsn_ac"},
           {SiconosSolver::proximal, "prox"},
           {SiconosSolver::admm, "admm"}}};
}

/// Every ninth of the generated problems by ours and by theirs, judged by one residual.
void add_beside_siconos(ConeSolver& solver, std::vector<BenchRow>& rows) {
  constexpr int kEvery = 9;  // prime to the number of families
  if (!kHasSiconos) return;
  std::array<Rival, 4> theirs = rivals();
  SizeClasses ours;
  LongTask task("solving by Siconos", kConeSamples / kEvery + 1);
  for (int i = 0; i < kConeSamples; i += kEvery) {
    const ConeProblem problem = make_cone_sample(i).problem;
    for (Rival& their : theirs) {
      const Timed result = time_siconos(problem, their.solver);
      their.times.add(problem, result.ms, result.residual);
    }
    task.advance();
    const Timed timed = time_ours(problem, solver);
    ours.add(problem, timed.ms, timed.residual);
  }
  ours.append("beside_siconos", rows);
  for (Rival& their : theirs) their.times.append(fmt::format("siconos_{}", their.name), rows);
}

bool is_problem(const fs::path& path) {
  const fs::path ending = path.extension();
  return ending == ".fc3d" || ending == ".hdf5" || ending == ".h5";
}

}  // namespace

std::vector<BenchRow> nonsmooth_bench() {
  std::vector<BenchRow> rows = step_bench();
  ConeSolver solver;
  add_generated(solver, rows);
  add_beside_siconos(solver, rows);
  return rows;
}

std::vector<BenchRow> nonsmooth_bench_on(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (is_problem(entry.path())) files.push_back(entry.path());
  }
  if (files.empty()) {
    throw Error(ErrorKind::input, {.message = "no cone problems there",
                                   .file = folder.string(),
                                   .legal = "a folder with files *.fc3d, *.hdf5 or *.h5"});
  }
  std::sort(files.begin(), files.end());
  std::vector<BenchRow> rows;
  ConeSolver solver;
  SizeClasses classes;
  std::array<Rival, 4> theirs = rivals();
  LongTask task("solving problems", files.size());
  for (const fs::path& file : files) {
    const ConeFile read = read_cone_problem(file);
    const ConeProblem& problem = read.problem;
    const Timed timed = time_ours(problem, solver);
    const std::string name = file.stem().string();
    rows.push_back({name + "_ms", timed.ms, "ms"});
    rows.push_back({name + "_residual", timed.residual, "-"});
    rows.push_back({name + "_asymmetry", read.asymmetry, "-"});
    classes.add(problem, timed.ms, timed.residual);
    task.advance();
    if (!kHasSiconos) continue;
    for (Rival& their : theirs) {
      const Timed result = time_siconos(problem, their.solver);
      rows.push_back({fmt::format("{}_{}_ms", name, their.name), result.ms, "ms"});
      rows.push_back({fmt::format("{}_{}_residual", name, their.name), result.residual, "-"});
      their.times.add(problem, result.ms, result.residual);
    }
  }
  classes.append("files", rows);
  for (Rival& their : theirs) {
    if (their.times.count() > 0) their.times.append(fmt::format("files_{}", their.name), rows);
  }
  for (BenchRow& row : nonsmooth_bench()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace grouser::internal
