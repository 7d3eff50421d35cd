#include "record/patch_csv.h"

#include <fmt/format.h>

#include <cassert>
#include <iterator>

#include "contact/pcm/pcm_system.h"

namespace grouser::internal {

namespace {

std::size_t index_of(const World& world, const ContactSystem* system) {
  assert(system != nullptr);
  std::size_t index = 0;
  while (world.contacts[index].get() != system) ++index;
  return index;
}

}  // namespace

PatchCsv::PatchCsv(const World& world, const std::filesystem::path& path)
    : pcm_(find_contacts<PcmSystem>(world)),
      system_(index_of(world, pcm_)),
      file_(path),
      text_(
          "time [s],base,target,triangle,x [m],y [m],z [m],area [m2],depth [m],pressure [Pa],"
          "slip [m/s]\n") {}

void PatchCsv::on_sample(const Sample& sample) {
  const PcmScene& scene = pcm_->scene();
  for (const PcmContact& contact : pcm_->force(*sample.contact_details[system_]).contacts) {
    const PcmPair& pair = scene.pairs()[static_cast<std::size_t>(contact.pair)];
    const PcmSurface& base = scene.surfaces()[static_cast<std::size_t>(pair.base)];
    const Pose X_WS = base.body == PcmSurface::kFixed
                          ? base.X_BS
                          : sample.X_WB[static_cast<std::size_t>(base.body)] * base.X_BS;
    for (const PatchElement& element : contact.patch) {
      const Vec3 p = X_WS * element.p;
      fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{},{},{},{},{}\n", sample.time,
                     base.name, scene.name_of(pair.target), element.triangle, p.x(), p.y(), p.z(),
                     element.area, element.depth, element.pressure, element.slip.norm());
    }
  }
  file_.write(text_);
  text_.clear();
}

void PatchCsv::close() {
  file_.write(text_);
  file_.commit();
}

}  // namespace grouser::internal
