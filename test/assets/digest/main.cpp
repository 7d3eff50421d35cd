// Prints a digest of each of a set of assets. Built twice, with different optimisation, it shows that
// assets are the same bytes whatever the compiler does: the outputs must be equal.
#include <cstdio>
#include <string>

#include "assets/asset_file.h"
#include "assets/asset_id.h"
#include "core/hash.h"

namespace grouser::internal {
namespace {

void print(const char* name, const std::string& text) {
  std::printf("%-16s %s\n", name, hash_text(text_hash(text)).c_str());
}

void print_wheels() {
  WheelSpec wheel;
  print("wheel", asset_obj(wheel));
  wheel.profile = TreadProfile::convex;
  wheel.grousers.style = GrouserStyle::chevron;
  print("chevron wheel", asset_obj(wheel));
  wheel.profile = TreadProfile::polyline;
  wheel.profile_points = {{-1, 0.9}, {0.2, 1}, {1, 0.8}};
  wheel.grousers.style = GrouserStyle::slanted;
  print("slanted wheel", asset_obj(wheel));
  wheel.kind = WheelKind::rimless;
  print("rimless wheel", asset_obj(wheel));
}

SurfaceSpec cratered_ground() {
  SurfaceSpec ground{.size = {8, 6}, .spacing = 0.1};
  ground.noise = NoiseSpec{.seed = 5};
  ground.random_craters = RandomCratersSpec{.coefficient = 0.2};
  return ground;
}

void print_surfaces() {
  print("surface", asset_obj(SurfaceSpec{.spacing = 0.1}));
  print("craters", asset_obj(cratered_ground()));
  SurfaceSpec ridged{.spacing = 0.1};
  ridged.noise = NoiseSpec{.kind = NoiseKind::ridged, .hurst = 0.9};
  print("ridged surface", asset_obj(ridged));
}

void print_rocks() {
  print("rock", asset_obj(RockSpec{}));
  RockFieldSpec rocks{.size = {6, 6}};
  print("rocks", asset_obj(rocks, cratered_ground()));
  rocks.sizes.site = RockSite::lunar_high;
  rocks.sizes.min_diameter = 0.05;
  rocks.attitude = RockAttitude::random;
  print("lunar rocks", asset_obj(rocks));
}

}  // namespace
}  // namespace grouser::internal

int main() {
  grouser::internal::print_wheels();
  grouser::internal::print_surfaces();
  grouser::internal::print_rocks();
}
