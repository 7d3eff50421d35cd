// What the README shows, by somebody outside.
#include <iostream>

#include <core/version.h>
#include <scene/load_scene.h>
#include <sim/simulation.h>

int main() {
  std::cout << grouser::internal::version() << '\n';
  const grouser::internal::World world = grouser::internal::load_scene_text(R"(grouser: 1
gravity: mars
terrain: {surface: {size: [6, 4]}, spacing: 0.05, soil: dry_sand}
models: [{name: rover, rover: exomars, on_ground: true, position: [-1, 0, 0.57]}]
contacts: [{model: terra, wheels: all}]
)",
                                                                            "outside", ".");
  grouser::internal::Simulation simulation(world);
  const auto drive = simulation.actuator("rover/front_left_drive");
  simulation.add_controller({.rate_hz = 50}, [&](grouser::internal::Simulation& self) {
    const double slip = self.sample().wheels[0].slip;
    self.set_target(drive, grouser::internal::TargetQuantity::velocity, slip > 0.6 ? 0.2 : 1.0);
  });
  simulation.run_to(1);
  std::cout << (simulation.report().energy > 0 ? "drove\n" : "stood\n");
}
