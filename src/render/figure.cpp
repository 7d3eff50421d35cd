#include "render/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/disk.h"
#include "core/error.h"
#include "core/text.h"
#include "render/figure_axis.h"

namespace grouser::internal {
namespace {

// Okabe & Ito, "Color universal design" (2008), without yellow, which is faint on white.
constexpr std::array<const char*, 7> kColors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#000000"};
// Shapes around the current point, about 6 px wide.
constexpr std::array<const char*, 4> kMarkers = {"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
                                                 "m-2.6-2.6h5.2v5.2h-5.2z", "m0-3.6l3.4 6h-6.8z",
                                                 "m0-3.8l3.8 3.8l-3.8 3.8l-3.8-3.8z"};
constexpr double kLeft = 78, kRight = 18, kTop = 36, kBottom = 54;  // around the axes [px]
constexpr double kFont = 13, kTitleFont = 15;                       // [px]
constexpr double kLetter = 0.56;    // width of a mean letter, in font sizes
constexpr double kLegendLine = 18;  // height of a line of the legend [px]
constexpr double kLegendKey = 34;   // width left of its text [px]

// Text as XML content. Control characters have no place in XML at all.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Pixels to a tenth, without a negative zero.
std::string px(double value) {
  // Far outside the picture; larger numbers would only trouble the viewers.
  const double near = std::clamp(value, -1e5, 1e5);
  std::string text = fmt::format("{:.1f}", near);
  return text == "-0.0" ? "0.0" : text;
}

struct Frame {
  double left, top, width, height;  // the axes' rectangle [px]
  Scale x, y;

  double px_x(double value) const { return left + width * x.fraction(value); }
  double px_y(double value) const { return top + height * (1 - y.fraction(value)); }
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value, bool logarithmic) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void check_axis(const Axis& axis, const std::string& field) {
  for (const std::optional<double>& limit : {axis.low, axis.high}) {
    if (!limit || (std::isfinite(*limit) && (!axis.logarithmic || *limit > 0))) continue;
    throw Error(ErrorKind::input, {.message = "cannot be the end of an axis",
                                   .field = field,
                                   .value = format_number(*limit),
                                   .legal = axis.logarithmic ? "> 0, finite" : "finite"});
  }
  if (!axis.low || !axis.high || *axis.low < *axis.high) return;
  throw Error(ErrorKind::input, {.message = "the ends of an axis are the wrong way round",
                                 .field = field,
                                 .value = format_number(*axis.low),
                                 .legal = "< " + format_number(*axis.high)});
}

void check_panel(const Panel& panel) {
  check_axis(panel.x, "panel '" + panel.title + "', x axis");
  check_axis(panel.y, "panel '" + panel.title + "', y axis");
  for (const Series& series : panel.series) {
    const bool bars_fit = series.y_error.empty() || series.y_error.size() == series.x.size();
    if (series.x.size() == series.y.size() && bars_fit) continue;
    throw Error(ErrorKind::input,
                {.message = "the columns of a series differ in length",
                 .field = fmt::format("panel '{}', series '{}'", panel.title, series.label),
                 .value = fmt::format("{}, {}, {}", series.x.size(), series.y.size(),
                                      series.y_error.size())});
  }
}

Frame make_frame(const Panel& panel, const Figure& figure, double left, double top) {
  Range x, y;
  for (const Series& series : panel.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      x.include(series.x[i], panel.x.logarithmic);
      y.include(series.y[i], panel.y.logarithmic);
      if (series.y_error.empty()) continue;
      y.include(series.y[i] - series.y_error[i], panel.y.logarithmic);
      y.include(series.y[i] + series.y_error[i], panel.y.logarithmic);
    }
  }
  return {.left = left + kLeft,
          .top = top + kTop,
          .width = std::max(1.0, figure.panel_width - kLeft - kRight),
          .height = std::max(1.0, figure.panel_height - kTop - kBottom),
          .x = make_scale(panel.x, x.low, x.high),
          .y = make_scale(panel.y, y.low, y.high)};
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const std::string& more = {}) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", px(x), px(y),
                     anchor, more, escaped(text));
}

std::string axes(const Panel& panel, const Frame& frame) {
  const double bottom = frame.top + frame.height, middle = frame.top + frame.height / 2;
  std::string grid, labels;
  for (const Tick& tick : frame.x.ticks) {
    const double x = frame.px_x(tick.value);
    grid += fmt::format("M{} {}V{}", px(x), px(frame.top), px(bottom));
    labels += text_at(x, bottom + 17, "middle", tick.label);
  }
  for (const Tick& tick : frame.y.ticks) {
    const double y = frame.px_y(tick.value);
    grid += fmt::format("M{} {}H{}", px(frame.left), px(y), px(frame.left + frame.width));
    labels += text_at(frame.left - 6, y + 4.5, "end", tick.label);
  }
  std::string svg = fmt::format("<path d=\"{}\" stroke=\"#e0e0e0\"/>\n", grid) + labels;
  svg += text_at(frame.left + frame.width / 2, bottom + 40, "middle", panel.x.label);
  const double label_x = frame.left - kLeft + 16;
  svg += text_at(label_x, middle, "middle", panel.y.label,
                 fmt::format(" transform=\"rotate(-90 {} {})\"", px(label_x), px(middle)));
  svg += text_at(frame.left + frame.width / 2, frame.top - 12, "middle", panel.title,
                 fmt::format(" font-size=\"{}\" font-weight=\"bold\"", kTitleFont));
  return svg;
}

struct Style {
  const char* color;
  const char* marker;
};

Style style_of(const Panel& panel, std::size_t index) {
  const int number = panel.series[index].style.value_or(static_cast<int>(index));
  const auto pick = [number](const auto& list) {
    return list[static_cast<std::size_t>(std::max(0, number)) % list.size()];
  };
  return {pick(kColors), pick(kMarkers)};
}

std::string line_attributes(const Series& series, const Style& style) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", style.color,
                     series.dashed ? " stroke-dasharray=\"6 4\"" : "");
}

std::string draw_series(const Series& series, const Style& style, const Frame& frame) {
  std::string line, markers, bars;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!frame.x.shows(series.x[i]) || !frame.y.shows(series.y[i])) {
      pen_down = false;
      continue;
    }
    const std::string x = px(frame.px_x(series.x[i])), y = px(frame.px_y(series.y[i]));
    line += fmt::format("{}{} {}", pen_down ? "L" : "M", x, y);
    pen_down = true;
    if (series.markers) markers += fmt::format("M{} {}{}", x, y, style.marker);
    if (series.y_error.empty() || !std::isfinite(series.y_error[i])) continue;
    const double low = series.y[i] - series.y_error[i], high = series.y[i] + series.y_error[i];
    // On a logarithmic axis a bar that reaches zero goes down to the frame.
    const double bottom = frame.y.shows(low) ? frame.px_y(low) : frame.top + frame.height;
    bars += fmt::format("M{} {}V{}m-3 0h6M{} {}m-3 0h6", x, px(bottom), px(frame.px_y(high)), x,
                        px(bottom));
  }
  std::string svg;
  if (!bars.empty()) {
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", bars, style.color);
  }
  if (series.line && !line.empty()) {
    svg += fmt::format("<path d=\"{}\" {} stroke-linejoin=\"round\"/>\n", line,
                       line_attributes(series, style));
  }
  if (!markers.empty()) {
    svg += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.6\"/>\n", markers, style.color);
  }
  return svg;
}

// How many points of the panel lie in a rectangle.
std::size_t points_within(const Panel& panel, const Frame& frame, double left, double top,
                          double width, double height) {
  std::size_t count = 0;
  for (const Series& series : panel.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!frame.x.shows(series.x[i]) || !frame.y.shows(series.y[i])) continue;
      const double x = frame.px_x(series.x[i]) - left, y = frame.px_y(series.y[i]) - top;
      if (x >= 0 && x <= width && y >= 0 && y <= height) ++count;
    }
  }
  return count;
}

// In the corner that holds the fewest points; the upper left one if several do.
std::string legend(const Panel& panel, const Frame& frame) {
  std::size_t longest = 0, lines = 0;
  for (const Series& series : panel.series) {
    if (series.label.empty()) continue;
    longest = std::max(longest, letters(series.label));
    ++lines;
  }
  if (lines == 0) return {};
  const double width = kLegendKey + kLetter * kFont * static_cast<double>(longest) + 10;
  const double height = kLegendLine * static_cast<double>(lines) + 6;
  double left = 0, top = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const double corner_top : {frame.top + 8, frame.top + frame.height - height - 8}) {
    for (const double corner_left : {frame.left + 8, frame.left + frame.width - width - 8}) {
      const std::size_t count = points_within(panel, frame, corner_left, corner_top, width, height);
      if (count >= fewest) continue;
      fewest = count;
      left = corner_left;
      top = corner_top;
    }
  }
  std::string svg = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fff\" fill-opacity=\"0.85\"/>\n",
      px(left), px(top), px(width), px(height));
  double y = top + 3 + kLegendLine / 2;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = panel.series[i];
    if (series.label.empty()) continue;
    const Style style = style_of(panel, i);
    if (series.line) {
      svg += fmt::format("<path d=\"M{} {}h22\" {}/>\n", px(left + 6), px(y),
                         line_attributes(series, style));
    }
    if (series.markers) {
      svg += fmt::format("<path d=\"M{} {}{}\" fill=\"{}\"/>\n", px(left + 17), px(y), style.marker,
                         style.color);
    }
    svg += text_at(left + kLegendKey, y + 4.5, "start", series.label);
    y += kLegendLine;
  }
  return svg;
}

std::string draw_panel(const Panel& panel, const Frame& frame, std::size_t number) {
  const std::string box =
      fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", px(frame.left), px(frame.top),
                  px(frame.width), px(frame.height));
  std::string svg = axes(panel, frame);
  svg += fmt::format("<clipPath id=\"axes{}\"><rect {}/></clipPath>\n", number, box);
  svg += fmt::format("<g clip-path=\"url(#axes{})\">\n", number);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    svg += draw_series(panel.series[i], style_of(panel, i), frame);
  }
  svg += fmt::format("</g>\n<rect {} fill=\"none\" stroke=\"#404040\"/>\n", box);
  return svg + legend(panel, frame);
}

}  // namespace

std::string to_svg(const Figure& figure) {
  const std::size_t columns =
      std::min(figure.panels.size(), static_cast<std::size_t>(std::max(1, figure.columns)));
  const std::size_t rows = columns == 0 ? 0 : (figure.panels.size() + columns - 1) / columns;
  const double width = figure.panel_width * static_cast<double>(columns);
  const double height = figure.panel_height * static_cast<double>(rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "font-size=\"{2}\" fill=\"#202020\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      px(width), px(height), kFont);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    check_panel(panel);
    const std::size_t row = i / columns, column = i % columns;
    const double left = figure.panel_width * static_cast<double>(column);
    const double top = figure.panel_height * static_cast<double>(row);
    svg += draw_panel(panel, make_frame(panel, figure, left, top), i);
  }
  return svg + "</svg>\n";
}

void write_svg(const std::filesystem::path& path, const Figure& figure) {
  AtomicFile file(path);
  file.write(to_svg(figure));
  file.commit();
}

}  // namespace grouser::internal
