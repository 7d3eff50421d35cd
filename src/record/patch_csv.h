#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/disk.h"
#include "sim/simulate.h"

namespace grouser::internal {

class PcmSystem;

/// Writes the patches of meshes in contact as a table: a row per sample and contact element, with where it
/// is, its area, depth, pressure and slip. The file appears when it is closed; without close() nothing
/// remains.
class PatchCsv : public Observer {
 public:
  /// The world must have meshes that may touch, and outlive this.
  PatchCsv(const World& world, const std::filesystem::path& path);

  void on_sample(const Sample& sample) override;
  void close();

 private:
  const PcmSystem* pcm_;
  std::size_t system_;  // its number in the World
  AtomicFile file_;
  std::string text_;  // not yet handed on
};

}  // namespace grouser::internal
