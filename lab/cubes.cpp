#include "lab/cubes.h"

#include <fmt/format.h>

#include "core/rng.h"
#include "scene/load_scene.h"

namespace grouser::internal {

World cubes_on_floor(const CubesSpec& spec) {
  CounterRng rng(1);
  std::string models, bodies = "floor/floor";
  const double pitch = spec.loose > 0 ? 0.2 + 3 * spec.loose : 0.2001;
  const double layer = spec.loose > 0 ? 0.25 : 0.2;
  for (int k = 0; k < spec.rows * spec.columns * spec.layers; ++k) {
    const auto place = [&](int i) { return pitch * i + rng.uniform(-spec.loose, spec.loose); };
    const double x = place(k % spec.rows), y = place(k / spec.rows % spec.columns);
    const int above = k / (spec.rows * spec.columns);
    models += fmt::format(R"(  - name: c{}
    position: [{:.6f}, {:.6f}, {:.6f}]
    tree: {{bodies: [{{name: cube, mass: 1, shape: {{box: [0.2, 0.2, 0.2]}}}}]}}
)",
                          k, x, y, 0.1 + layer * above);
    bodies += fmt::format(", c{}/cube", k);
  }
  return load_scene_text(fmt::format(R"(grouser: 1
gravity: [0, 0, -9.81]
integrator: {{method: moreau_jean, step: 0.005}}
record: {{rate_hz: 1}}
models:
  - name: floor
    base: fixed
    tree: {{bodies: [{{name: floor, mass: 1e4, shape: {{box: [40, 40, 2], position: [0, 0, -1]}}}}]}}
{}contacts:
  - {{model: bbcc, bodies: [{}], material: {{friction: 0.5, restitution: 0}}}}
)",
                                     models, bodies),
                         "cubes", ".");
}

}  // namespace grouser::internal
