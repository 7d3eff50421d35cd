// Prints hashes of generated assets, to compare programs that were compiled in different ways.
#include <fmt/format.h>

#include "assets/rock_field.h"
#include "assets/surface.h"
#include "assets/wheel.h"
#include "core/hash.h"
#include "geometry/mesh_file.h"

namespace {

using namespace grouser;

void print(const char* name, const TriMesh& mesh) {
  Hasher hasher;
  hasher.text(obj_text(mesh));
  fmt::print("{} {}\n", name, hash_text(hasher.digest()));
}

WheelSpec chevron_wheel() {
  WheelSpec spec;
  spec.profile = TreadProfile::convex;
  spec.grousers.style = GrouserStyle::chevron;
  return spec;
}

WheelSpec rimless_wheel() {
  WheelSpec spec;
  spec.kind = WheelKind::rimless;
  return spec;
}

SurfaceSpec rough_surface(NoiseKind kind) {
  SurfaceSpec spec;
  spec.noise = NoiseSpec{};
  spec.noise->kind = kind;
  spec.profile = ProfileSpec{.points = {{-2, 0}, {1, 0.3}, {2, 0.1}}, .smooth = true};
  spec.random_craters = RandomCratersSpec{};
  return spec;
}

}  // namespace

int main() {
  print("wheel", make_wheel({}));
  print("chevron", make_wheel(chevron_wheel()));
  print("rimless", make_wheel(rimless_wheel()));
  print("rock", make_rock({}).mesh);
  for (const NoiseKind kind : {NoiseKind::fbm, NoiseKind::ridged}) {
    const auto surface = make_surface(rough_surface(kind));
    print("surface", surface_mesh(*surface, surface_grid(*surface, 0.05)));
    print("rocks", merged_mesh(make_rock_field({}, *surface)));
  }
}
