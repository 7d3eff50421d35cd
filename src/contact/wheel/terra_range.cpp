#include "contact/wheel/terra_range.h"

#include <fmt/format.h>

namespace grouser::internal {
namespace {

/// What TerRA's defaults were set and compared by: docs/theory/wheel.md.
struct TerraRange {
  double least_radius = 0.09, greatest_radius = 0.25;  // [m]
  double least_load = 20, greatest_load = 180;         // [N]
  double least_gravity = 1.6, greatest_gravity = 9.9;  // [m/s²]
};

std::string terra_reasons(const WheelForm& form, double load, double gravity) {
  constexpr TerraRange kRange;
  constexpr double kSlack = 1.05;
  std::string reasons;
  const auto check = [&](const char* what, double value, double low, double high,
                         const char* unit) {
    if (value >= low / kSlack && value <= high * kSlack) return;
    reasons += fmt::format("{}{} {:.3g} {} (known for {:g} to {:g})", reasons.empty() ? "" : ", ",
                           what, value, unit, low, high);
  };
  check("wheel radius", form.radius, kRange.least_radius, kRange.greatest_radius, "m");
  check("load per wheel", load, kRange.least_load, kRange.greatest_load, "N");
  check("gravity", gravity, kRange.least_gravity, kRange.greatest_gravity, "m/s2");
  return reasons;
}

/// Whether nobody has fitted the digging or the resistances of a model.
bool has_defaults(const TerraModel& model) {
  constexpr TerraModel kDefault;
  return model.dig == kDefault.dig && model.dig_limit == kDefault.dig_limit &&
         model.compaction == kDefault.compaction && model.bulldozing == kDefault.bulldozing;
}

}  // namespace

std::string terra_range_warning(const TerraModel& model, const WheelForm& form,
                                const WheelUse& wheel, double gravity) {
  if (!has_defaults(model)) return {};
  const std::string reasons = terra_reasons(form, wheel.load, gravity);
  if (reasons.empty()) return {};
  return fmt::format(
      "{}: TerRA's default parameters are used outside what they were tried for: {}; slip and "
      "sinkage may be far off; fit them with 'grouser identify terra', or compare with 'scm'",
      wheel.rover, reasons);
}

}  // namespace grouser::internal
