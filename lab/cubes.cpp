#include "lab/cubes.h"

#include <fmt/format.h>

#include "core/rng.h"
#include "lab/scene_parts.h"

namespace grouser::internal {

World cubes_on_floor(const CubesSpec& spec) {
  CounterRng rng(1);
  List models{slab("floor", 40, 40, 2)}, bodies{"floor/floor"};
  const double pitch = spec.loose > 0 ? 0.2 + 3 * spec.loose : 0.2001;
  const double layer = spec.loose > 0 ? 0.25 : 0.2;
  for (int k = 0; k < spec.rows * spec.columns * spec.layers; ++k) {
    const auto place = [&](int i) { return pitch * i + rng.uniform(-spec.loose, spec.loose); };
    const double x = place(k % spec.rows), y = place(k / spec.rows % spec.columns);
    const int above = k / (spec.rows * spec.columns);
    const std::string name = fmt::format("c{}", k);
    models.push_back(model_of(name, {rounded(x, 6), rounded(y, 6), rounded(0.1 + layer * above, 6)},
                              body_of("cube", 1, box_shape(0.2, 0.2, 0.2))));
    bodies.push_back(name + "/cube");
  }
  const Map scene{
      {"gravity", List{0, 0, -9.81}},
      {"integrator", fixed_step("moreau_jean", 0.005)},
      {"record", Map{{"rate_hz", 1}}},
      {"models", models},
      {"contacts", List{body_contacts(bodies, {{"friction", 0.5}, {"restitution", 0}})}}};
  return load_scene_values(scene, "cubes", ".");
}

}  // namespace grouser::internal
