#include "terrain/dem_plan.h"

#include <cmath>

#include <fmt/format.h>

#include "core/text.h"
#include "terrain/resample.h"

namespace grouser::internal {
namespace {

// Adds findings about one file.
class Findings {
 public:
  explicit Findings(const std::string& file) : file_(file) {}

  void add(const char* field, std::string message, std::string value = "", std::string legal = "") {
    issues_.add({.message = std::move(message),
                 .file = file_,
                 .field = field,
                 .value = std::move(value),
                 .legal = std::move(legal)});
  }
  void throw_if_any() const { issues_.throw_if_any(); }
  IssueList& list() { return issues_; }

 private:
  const std::string& file_;
  IssueList issues_;
};

void check_options(const DemOptions& options, Findings& findings) {
  if (!(options.resample >= 0) || !std::isfinite(options.resample)) {
    findings.add("resample", "cannot be this", format_number(options.resample), ">= 0 [m]");
  }
  if (options.crop && !(options.crop->lower.allFinite() && options.crop->upper.allFinite() &&
                        (options.crop->size().array() > 0).all())) {
    findings.add("crop", "encloses nothing", "", "finite corners, upper beyond lower [m]");
  }
  if (!options.image) return;
  if (!(options.image->pixel > 0) || !std::isfinite(options.image->pixel)) {
    findings.add("image.pixel", "cannot be this", format_number(options.image->pixel), "> 0 [m]");
  }
  if (!std::isfinite(options.image->black) || !std::isfinite(options.image->white)) {
    findings.add("image.black, white", "are not finite", "", "finite [m]");
  }
}

void check_raster(const RasterInfo& info, Findings& findings) {
  if (info.bands < 1) {
    findings.add("", "holds no raster");
    return;
  }
  if (info.nx < 2 || info.ny < 2) {
    findings.add("size", "is too small for a surface", fmt::format("{} x {}", info.nx, info.ny),
                 ">= 2 x 2 pixels");
  }
  if (info.is_complex) findings.add("", "holds complex numbers, not heights");
  if (info.has_palette) {
    findings.add("",
                 "holds the colours of a palette, not heights; convert it to grey levels first");
  }
  if (!std::isfinite(info.scale) || info.scale == 0 || !std::isfinite(info.offset)) {
    findings.add("band scale", "cannot be this", format_number(info.scale), "finite, not 0");
  }
}

bool knows_its_scale(const RasterInfo& info) { return info.has_transform && !info.is_picture; }

// Pixel size and heights of a plain image come from the options.
void use_image_scale(const RasterInfo& info, const DemOptions::ImageScale& image,
                     Findings& findings, DemPlan& plan) {
  plan.scale.pixel = Vec2::Constant(image.pixel);
  if (info.has_transform) plan.scale.notes.push_back("the picture's world file is not used");
  const bool grey = info.white > 0;
  if (grey && image.black == image.white) {
    findings.add("image.black, white", "are the same height", format_number(image.black));
  } else if (grey) {
    plan.factor = (image.white - image.black) / info.white;
    plan.offset = image.black;
  } else if (image.black != 0 || image.white != 0) {
    findings.add(
        "image.black, white",
        "are not used: the file holds signed or floating-point numbers, which are heights in "
        "metres");
  } else {
    plan.factor = info.scale;
    plan.offset = info.offset;
  }
}

void use_file_scale(const RasterInfo& info, const std::string& file, Findings& findings,
                    DemPlan& plan) {
  plan.scale = dem_scale(info, file, findings.list());
  double unit = metres_per_height_unit(info.value_unit);
  if (info.value_unit.empty() && info.vertical_unit > 0) unit = info.vertical_unit;
  if (unit == 0) {
    findings.add("band unit", "is no unit of height that is known", info.value_unit,
                 "m, km, dm, cm, mm, ft, us-ft");
  }
  if (unit != 1) plan.scale.notes.push_back(fmt::format("heights in units of {:.9g} m", unit));
  plan.factor = info.scale * unit;
  plan.offset = info.offset * unit;
}

// The nodes nearest to the corners of the crop.
void choose_window(const RasterInfo& info, const DemOptions& options, Findings& findings,
                   DemPlan& plan) {
  plan.window = {0, 0, info.nx, info.ny};
  if (!options.crop) return;
  const Vec2 pixel = plan.scale.pixel;
  const Vec2 extent = pixel.cwiseProduct(Vec2(info.nx - 1, info.ny - 1));
  const Vec2 slack = 0.5 * pixel;
  if (((options.crop->lower + slack).array() < 0).any() ||
      ((options.crop->upper - slack).array() > extent.array()).any()) {
    findings.add(
        "crop", "reaches beyond the file",
        fmt::format("({:g}, {:g}) ... ({:g}, {:g})", options.crop->lower.x(),
                    options.crop->lower.y(), options.crop->upper.x(), options.crop->upper.y()),
        fmt::format("(0, 0) ... ({:g}, {:g}) [m]", extent.x(), extent.y()));
    return;
  }
  const auto node = [](double metres, double spacing, int count) {
    return std::clamp(static_cast<int>(std::lround(metres / spacing)), 0, count - 1);
  };
  const int i0 = node(options.crop->lower.x(), pixel.x(), info.nx);
  const int i1 = node(options.crop->upper.x(), pixel.x(), info.nx);
  const int j0 = node(options.crop->lower.y(), pixel.y(), info.ny);
  const int j1 = node(options.crop->upper.y(), pixel.y(), info.ny);
  if (i1 == i0 || j1 == j0) {
    findings.add("crop", "holds less than two nodes along a side", "",
                 fmt::format("> {:g} x {:g} [m]", pixel.x(), pixel.y()));
    return;
  }
  plan.window = {plan.scale.east_first ? info.nx - 1 - i1 : i0,
                 plan.scale.south_first ? j0 : info.ny - 1 - j1, i1 - i0 + 1, j1 - j0 + 1};
  plan.first = pixel.cwiseProduct(Vec2(i0, j0));
}

void choose_spacing(const DemOptions& options, Findings& findings, DemPlan& plan) {
  const Vec2 pixel = plan.scale.pixel;
  const int most = std::max(plan.window.nx, plan.window.ny);
  // Sides of a pixel may differ by what displaces the far corner by a hundredth of one.
  const bool square = std::abs(pixel.x() / pixel.y() - 1) * most <= 0.01;
  plan.spacing = square ? 0.5 * (pixel.x() + pixel.y()) : pixel.minCoeff();
  if (options.resample > 0) plan.spacing = options.resample;
  plan.resampled = (plan.spacing / pixel.x() - 1) * most > 0.01 || !square ||
                   (pixel.x() / plan.spacing - 1) * most > 0.01;
  if (!square) {
    plan.scale.notes.push_back(
        fmt::format("pixels of {:.6g} x {:.6g} m were resampled to squares", pixel.x(), pixel.y()));
  }
  const double nx =
      plan.resampled ? resampled_count(plan.window.nx, pixel.x(), plan.spacing) : plan.window.nx;
  const double ny =
      plan.resampled ? resampled_count(plan.window.ny, pixel.y(), plan.spacing) : plan.window.ny;
  const double read = static_cast<double>(plan.window.nx) * plan.window.ny;
  if (std::max(read, nx * ny) > static_cast<double>(options.max_nodes)) {
    findings.add("size", "has too many nodes; crop it or make it coarser",
                 fmt::format("{} x {}", plan.window.nx, plan.window.ny) +
                     (plan.resampled ? fmt::format(", {:.0f} x {:.0f} resampled", nx, ny) : ""),
                 fmt::format("<= {}", options.max_nodes));
  } else if (nx < 2 || ny < 2) {
    findings.add("resample", "leaves less than two nodes along a side", format_number(plan.spacing),
                 fmt::format("<= {:g} [m]", std::min((plan.window.nx - 1) * pixel.x(),
                                                     (plan.window.ny - 1) * pixel.y())));
  }
}

}  // namespace

DemPlan plan_dem(const RasterInfo& info, const DemOptions& options, const std::string& file) {
  Findings findings(file);
  DemPlan plan;
  check_options(options, findings);
  check_raster(info, findings);
  if (knows_its_scale(info)) {
    use_file_scale(info, file, findings, plan);
    if (options.image) findings.add("image", "must not be given: the file knows its own scale");
  } else if (options.image) {
    use_image_scale(info, *options.image, findings, plan);
  } else {
    findings.add("image", "must be given: the file is a picture that does not know its scale", "",
                 "pixel, black and white [m]");
  }
  findings.throw_if_any();
  if (info.bands > 1) {
    plan.scale.notes.push_back(fmt::format("the first of {} bands was taken", info.bands));
  }
  choose_window(info, options, findings, plan);
  findings.throw_if_any();
  choose_spacing(options, findings, plan);
  findings.throw_if_any();
  return plan;
}

}  // namespace grouser::internal
