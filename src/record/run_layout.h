#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/sample.h"
#include "sim/world.h"

namespace grouser::internal {

/// A list of texts in the run file that names, or gives the units of, columns.
struct TextList {
  std::string path;  ///< e.g. "/bodies/names"
  std::vector<std::string> texts;
};

/// One quantity of the run file: a dataset with a row per sample.
struct RecordedSeries {
  std::string path;        ///< e.g. "/bodies/position"
  std::string names_path;  ///< TextList naming the first index within a row; empty for a scalar
  std::vector<std::string> components;  ///< e.g. {"x", "y", "z"}; part of the columns' labels
  std::string unit;                     ///< of all columns, unless there is a
  std::string units_path;               ///< TextList with the unit per name
  std::vector<std::size_t> shape;       ///< of a row: empty, {names} or {names, components}
  /// Writes one row of a sample.
  std::function<void(const Sample&, double*)> extract;

  std::size_t width() const;  ///< numbers per row
};

struct RunLayout {
  std::vector<TextList> lists;
  std::vector<RecordedSeries> series;
};

/// What a run of this world records. Quantities the world has none of are left out.
RunLayout run_layout(const World& world);

/// Names of the wheels of all rovers, in order.
std::vector<std::string> wheel_names(const World& world);

/// True if the velocity index `dof` turns, so that [N m] acts on it; false if it shifts: [N].
bool is_rotation(const Model& model, int dof);

}  // namespace grouser::internal
