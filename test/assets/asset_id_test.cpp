#include "assets/asset_id.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/rock_field.h"
#include "assets/spec_visitors.h"
#include "assets/surface.h"
#include "assets/wheel.h"
#include "core/error.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using AssetIdTest = TemporaryFolderTest;

/// Ids of many random specs of one kind.
template <class Spec>
std::vector<std::uint64_t> random_ids(int count, const std::vector<std::string>& files) {
  std::vector<std::uint64_t> ids;
  CounterRng rng(1);
  for (int i = 0; i < count; ++i) {
    Spec spec;
    RandomFields random(rng, files);
    visit_fields(spec, random);
    ids.push_back(asset_id(spec));
  }
  return ids;
}

// With 64 bits, 400 000 ids have one chance in 10⁸ to clash.
TEST_F(AssetIdTest, ManyRandomSpecsHaveDifferentIds) {
  constexpr int kCount = 100000;
  std::ofstream(folder_ / "a.tif") << "a";
  const std::vector<std::string> files = {(folder_ / "a.tif").string()};
  std::vector<std::uint64_t> ids = random_ids<WheelSpec>(kCount, files);
  std::ranges::copy(random_ids<RockSpec>(kCount, files), std::back_inserter(ids));
  std::ranges::copy(random_ids<RockFieldSpec>(kCount, files), std::back_inserter(ids));
  std::ranges::copy(random_ids<SurfaceSpec>(kCount, files), std::back_inserter(ids));
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

template <class Spec>
void expect_every_field_counts(Spec spec, const std::string& other_file, int at_least) {
  const std::uint64_t id = asset_id(spec);
  int fields = 1;
  for (int k = 0; k < fields; ++k) {
    Spec changed = spec;
    ChangeOneField change(k, other_file);
    visit_fields(changed, change);
    EXPECT_NE(asset_id(changed), id) << "field " << k;
    if (k == 0) fields = change.count();
  }
  EXPECT_GE(fields, at_least);
}

TEST_F(AssetIdTest, EveryFieldCountsToTheLastBit) {
  std::ofstream(folder_ / "a.tif") << "a";
  std::ofstream(folder_ / "b.tif") << "b";
  expect_every_field_counts(WheelSpec{.profile_points = {{-1, 1}, {1, 1}}}, "", 26);
  expect_every_field_counts(RockSpec{}, "", 8);
  expect_every_field_counts(RockFieldSpec{}, "", 22);
  SurfaceSpec surface;
  // The first change drops the whole height map, so the fields are counted in a second round.
  surface.height_map = HeightMapSpec{.file = (folder_ / "a.tif").string()};
  surface.height_map->image.emplace();
  surface.height_map->crop.emplace();
  surface.profile = ProfileSpec{.points = {{0, 1}}};
  surface.noise.emplace();
  surface.craters.resize(2);
  surface.random_craters.emplace();
  expect_every_field_counts(surface, (folder_ / "b.tif").string(), 45);
}

TEST_F(AssetIdTest, FilesCountByContentNotByName) {
  std::ofstream(folder_ / "a.tif") << "same";
  std::ofstream(folder_ / "b.tif") << "same";
  const auto id = [&](const char* name) {
    SurfaceSpec spec;
    spec.height_map = HeightMapSpec{.file = (folder_ / name).string()};
    return asset_id(spec);
  };
  const std::uint64_t before = id("a.tif");
  EXPECT_EQ(before, id("b.tif"));
  std::ofstream(folder_ / "a.tif") << "other";
  EXPECT_NE(before, id("a.tif"));
  EXPECT_THROW(id("missing.tif"), Error);
}

TEST(AssetId, ZeroHasNoSign) {
  RockFieldSpec spec;
  spec.gap = 0.0;
  const std::uint64_t id = asset_id(spec);
  spec.gap = -0.0;
  EXPECT_EQ(asset_id(spec), id);
}

TEST(AssetId, CanonicalTextNamesEverything) {
  WheelSpec spec;
  spec.grousers.style = GrouserStyle::chevron;
  const std::string text = canonical_text(spec);
  EXPECT_THAT(text, testing::StartsWith("generator = wheel 1\nkind = rim\nradius = 0.129\n"));
  EXPECT_THAT(text, HasSubstr("grousers.style = chevron\n"));
  EXPECT_THAT(text, HasSubstr("profile_points = 0\n"));
  SurfaceSpec surface;
  surface.craters.resize(2);
  EXPECT_THAT(canonical_text(surface), HasSubstr("height_map = none\n"));
  EXPECT_THAT(canonical_text(surface), HasSubstr("craters = 2\ncraters[0].position = 0 0\n"));
}

}  // namespace
}  // namespace grouser::internal
