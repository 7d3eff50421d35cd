#pragma once

#include "record/run_layout.h"
#include "view/server.h"

namespace grouser::internal {

/// Answers the page's questions about a world that runs. For one thread, beside that of the run: it reads only what
/// never changes.
class LiveScene {
 public:
  /// The World must outlive this.
  LiveScene(const World& world, const RunLayout& layout, bool is_drivable);

  /// Throws Error(usage) if there is no such thing.
  Reply answer(const Target& target) const;

 private:
  const World& world_;
  std::string description_, meshes_;
};

}  // namespace grouser::internal
