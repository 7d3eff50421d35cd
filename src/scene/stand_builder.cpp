#include "scene/stand_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/log.h"
#include "core/text.h"
#include "sim/placement.h"

namespace grouser::internal {
namespace {

/// Index of the rover that a model is, or -1.
int rover_of(const ModelData& model, const std::vector<Rover>& rovers) {
  const auto found = std::ranges::find(rovers, model.name.text, &Rover::name);
  return found == rovers.end() ? -1 : static_cast<int>(found - rovers.begin());
}

std::string shown(const StandData& stand) {
  return fmt::format("at [{}, {}]", format_number(stand.at.x()), format_number(stand.at.y()));
}

bool has_free_base(const Assembly& assembly, int body) {
  const auto spec = [&](int b) -> const BodySpec& {
    return assembly.spec.bodies[static_cast<std::size_t>(b)];
  };
  while (spec(body).parent != kWorld) body = spec(body).parent;
  return spec(body).joint.type == JointType::free;
}

}  // namespace

void check_stands(const SceneData& scene, const std::vector<Rover>& rovers,
                  const Assembly& assembly) {
  for (const ModelData& model : scene.models) {
    if (!model.stand) continue;
    const auto refuse = [&](std::string why, std::string value = {}, std::string legal = {}) {
      assembly.issues.add(
          issue_at(model.stand->place, std::move(why), std::move(value), std::move(legal)));
    };
    const int rover = rover_of(model, rovers);
    if (rover < 0) {
      refuse("the model has no 'wheels' to stand on: use 'position' and 'on_ground'");
    } else if (!has_free_base(assembly, rovers[static_cast<std::size_t>(rover)].chassis)) {
      refuse("the model hangs on the world by a joint: it cannot be set down");
    }
    if (scene.ground == nullptr) {
      refuse("there is no ground: the scene has no 'terrain'");
    } else if (const Rect area = scene.ground->map.domain(); !area.contains(model.stand->at)) {
      refuse("the model does not stand on the terrain", shown(*model.stand),
             fmt::format("x {} ... {}, y {} ... {} [m]", format_number(area.lower.x()),
                         format_number(area.upper.x()), format_number(area.lower.y()),
                         format_number(area.upper.y())));
    }
    if (!(scene.gravity.z() < 0) || scene.gravity.head<2>().norm() > 0) {
      refuse("needs gravity along -z");
    }
  }
}

void stand_rovers(const SceneData& scene, const Assembly& assembly, World& world) {
  for (const ModelData& model : scene.models) {
    if (!model.stand) continue;
    const Placement placement = place_rover(world, {.rover = rover_of(model, world.rovers),
                                                    .at = model.stand->at,
                                                    .heading = model.stand->heading,
                                                    .fixed = assembly.q_given});
    if (placement.problem.empty()) {
      log(LogLevel::info, fmt::format("{}: {}", model.name.text, to_text(placement)));
    } else {
      assembly.issues.add(issue_at(model.stand->place, placement.problem, shown(*model.stand)));
    }
  }
}

}  // namespace grouser::internal
