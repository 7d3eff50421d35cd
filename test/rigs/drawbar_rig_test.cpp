#include "rigs/drawbar_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/scm/scm_system.h"

namespace grouser::internal {
namespace {

TEST(DrawbarRig, IsTheRoverOnARope) {
  DrawbarSpec spec;
  spec.spacing = 0.01;
  spec.mass = 100;
  const World world = drawbar_world(spec, 0.5);
  EXPECT_EQ(find_contacts<ScmSystem>(world)->contacts().size(), 6U);
  EXPECT_NEAR(world.model.total_mass(), 100, 1e-9);
  ASSERT_EQ(world.model.tethers().size(), 1U);
  EXPECT_EQ(world.model.tethers()[0].rate, 0.0108);
  EXPECT_EQ(world.joint_commands.size(), 6U);
}

TEST(DrawbarRig, SuggestsARover) {
  DrawbarSpec spec;
  spec.rover = "exomar";
  try {
    drawbar_world(spec, 0.5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.issues()[0].message.find("did you mean 'exomars'"), std::string::npos);
  }
}

// The rope holds the rover back to its own speed, and pull rises with slip but not beyond W tan φ + c A,
// with some 0.02 m² of contact.
TEST(LongDrawbarRig, PullRisesWithSlip) {
  DrawbarSpec spec;
  spec.spacing = 0.01;
  spec.distance = 0.4;  // the rover digs in at first, and the rope is loose until it has caught up
  spec.scm.deformation = ScmOptions::Deformation::none;
  const auto runs = run_drawbar_sweep(spec, {0.4, 0.7, 0.9});
  double before = 0;
  for (const DrawbarRun& run : runs) {
    EXPECT_NEAR(run.slip.mean, run.asked_slip, 0.02);
    EXPECT_GT(run.tension.mean, before);
    EXPECT_NEAR(run.load.mean, 64.6 * spec.gravity, 0.01 * 64.6 * spec.gravity);
    before = run.tension.mean;
  }
  EXPECT_LT(before,
            64.6 * spec.gravity * std::tan(spec.soil.friction_angle) + spec.soil.cohesion * 0.02);
}

}  // namespace
}  // namespace grouser::internal
