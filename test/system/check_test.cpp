#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "system/program.h"

namespace grouser::internal {
namespace {

using nlohmann::json;

/// A sled that gravity accelerates for 1 s; symplectic Euler is off by half its step.
std::string sled(const std::string& rest) {
  return "grouser: 1\nname: sled\ngravity: [1, 0, 0]\nduration: 1\n" + rest +
         "models:\n  - name: m\n    tree:\n      bodies:\n        - {name: sled, mass: 1, "
         "inertia: [1, 1, 1], joint: {type: prismatic, parent: world, axis: [1, 0, 0]}}\n";
}

TEST(Check, IsPartOfTheSummary) {
  const TemporaryFolder folder;
  const std::string scene =
      folder.write("sled.yaml", sled("integrator: {method: semi_implicit, step: 0.1}\n"));
  const std::string out = (folder / "out").string();
  const ProgramResult result = run_program({"run", scene, "--check", "--json", "-o", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json check = json::parse(result.out)["check"];
  EXPECT_FALSE(check["converged"].get<bool>());
  EXPECT_EQ(check["tolerance"], 0.03);
  EXPECT_NEAR(check["changes"]["distance"].get<double>(), 0.05 / 1.05, 1e-9);
  EXPECT_EQ(check["step_s"], 0.1);
  EXPECT_TRUE(check["spacing_m"].is_null());
  EXPECT_EQ(check["duration_s"], 1.0);
  EXPECT_EQ(json::parse(read_text(folder / "out/summary.json"))["check"], check);

  const ProgramResult text =
      run_program({"run", scene, "--check", "--check-tolerance", "0.1", "-o", out});
  EXPECT_NE(text.out.find("converged within 10 %"), std::string::npos) << text.out;
  EXPECT_FALSE(json::parse(run_program({"run", scene, "--json", "-o", out}).out).contains("check"));
}

TEST(Check, RefusesWhatMakesNoSense) {
  const TemporaryFolder folder;
  const std::string scene = folder.write("sled.yaml", sled(""));
  EXPECT_EQ(run_program({"run", scene, "--check-duration", "1"}).exit_code, 1);  // needs --check
  const ProgramResult longer = run_program(
      {"run", scene, "--check", "--check-duration", "2", "-o", (folder / "o").string()});
  EXPECT_EQ(longer.exit_code, 1);
  EXPECT_NE(longer.err.find("longer than the run"), std::string::npos) << longer.err;
  const ProgramResult resumed = run_program(
      {"run", "--resume", (folder / "o/checkpoint.h5").string(), "--duration", "2", "--check"});
  EXPECT_EQ(resumed.exit_code, 1);
  EXPECT_NE(resumed.err.find("from its start"), std::string::npos) << resumed.err;
}

TEST(Check, CanBeInterruptedWithoutLosingTheRun) {
  const TemporaryFolder folder;
  const std::string scene =
      folder.write("sled.yaml", sled("integrator: {step: 1e-6}\nrecord: {rate_hz: 0}\n"));
  const pid_t process =
      start_program({"run", scene, "--check", "--duration", "2", "-o", (folder / "out").string()});
  wait_for_file(folder / "out/summary.json");  // the run is over, its check begins
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  const json summary = json::parse(read_text(folder / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "completed");
  EXPECT_TRUE(summary["check"]["interrupted"].get<bool>());
}

}  // namespace
}  // namespace grouser::internal
