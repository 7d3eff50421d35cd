// Where values land on the picture, and what labels and gaps become.
#include "render/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "core/error.h"
#include "render/figure_axis.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Axes from 0 to 10: with 78 px left, 18 right, 36 above and 54 below, 384 x 250 px remain.
Figure one_panel(Series series) {
  Panel panel{.title = "title", .x = {.label = "x [m]"}, .y = {.label = "y [N]"}, .series = {}};
  panel.x.low = panel.y.low = 0;
  panel.x.high = panel.y.high = 10;
  panel.series.push_back(std::move(series));
  return {.panels = {panel}};
}

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> texts;
  for (const Tick& tick : scale.ticks) texts.push_back(tick.label);
  return texts;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Every tag is closed by its own name, and nothing is left open: SVG is XML.
void expect_well_formed(const std::string& svg) {
  const std::regex tag("<(/?)([A-Za-z]+)([^<>]*?)(/?)>");
  std::vector<std::string> open;
  std::size_t tags = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), tag), end; it != end; ++it, ++tags) {
    if ((*it)[1] == "/") {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[2]);
      open.pop_back();
    } else if ((*it)[4] != "/") {
      open.push_back((*it)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(count(svg, "<"), tags);
}

TEST(Figure, ValuesLandWhereTheAxesSay) {
  const std::string svg = to_svg(one_panel({.label = "", .x = {0, 5, 10}, .y = {0, 2.5, 10}}));
  EXPECT_THAT(svg, HasSubstr("d=\"M78.0 286.0L270.0 223.5L462.0 36.0\""));
  expect_well_formed(svg);
}

TEST(Figure, LogarithmicAxesSpreadDecadesEvenly) {
  Figure figure = one_panel({.x = {1, 10, 100}, .y = {0.01, 0.1, 1}});
  figure.panels[0].x = {.label = "", .logarithmic = true, .low = 1, .high = 100};
  figure.panels[0].y = {.label = "", .logarithmic = true, .low = 0.01, .high = 1};
  EXPECT_THAT(to_svg(figure), HasSubstr("d=\"M78.0 286.0L270.0 161.0L462.0 36.0\""));
}

TEST(Figure, WhatIsNotFiniteMakesAGap) {
  Series series{.x = {1, 2, kNan, 4, 5}, .y = {1, 2, 3, 4, 5}, .markers = true};
  EXPECT_THAT(to_svg(one_panel(series)),
              HasSubstr("d=\"M116.4 261.0L154.8 236.0M231.6 186.0L270.0 161.0\""));
  series.y[4] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(to_svg(one_panel(series)), HasSubstr("L154.8 236.0M231.6 186.0\""));
  EXPECT_THAT(to_svg(one_panel(series)), Not(HasSubstr("nan")));
  EXPECT_THAT(to_svg(one_panel(series)), Not(HasSubstr("inf")));
}

TEST(Figure, ZeroHasNoPlaceOnALogarithmicAxis) {
  Figure figure = one_panel({.x = {0, 1, 100}, .y = {1, 1, 1}});
  figure.panels[0].x = {.label = "", .logarithmic = true, .low = 1, .high = 100};
  EXPECT_THAT(to_svg(figure), HasSubstr("d=\"M78.0 261.0L462.0 261.0\""));
}

TEST(Figure, ErrorBarsReachBothWays) {
  Series series{.x = {5}, .y = {5}, .y_error = {2}, .line = false, .markers = true};
  EXPECT_THAT(to_svg(one_panel(series)), HasSubstr("M270.0 211.0V111.0m-3 0h6M270.0 211.0m-3 0h6"));
  series.y_error = {kNan};
  EXPECT_THAT(to_svg(one_panel(series)), Not(HasSubstr("V111.0")));
}

TEST(Figure, LabelsAreTextWhateverTheyHold) {
  Figure figure = one_panel({.label = "a<b> & \"c\"\x01", .x = {1}, .y = {1}});
  figure.panels[0].title = "</svg><script>";
  figure.panels[0].x.label = "Ø [mm]";
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, HasSubstr(">a&lt;b&gt; &amp; &quot;c&quot; </text>"));
  EXPECT_THAT(svg, HasSubstr(">&lt;/svg&gt;&lt;script&gt;</text>"));
  EXPECT_THAT(svg, HasSubstr(">Ø [mm]</text>"));
  expect_well_formed(svg);
}

TEST(Figure, SameInputSameBytes) {
  Figure figure = one_panel({.label = "data", .x = {1, 2, 3}, .y = {3, 1, 2}, .markers = true});
  figure.panels.push_back(figure.panels[0]);
  figure.panels.push_back({});
  EXPECT_EQ(to_svg(figure), to_svg(Figure(figure)));
  expect_well_formed(to_svg(figure));
}

TEST(Figure, PanelsFillRowsFromTheLeft) {
  Figure figure = one_panel({.x = {0}, .y = {0}, .line = false, .markers = true});
  figure.panels.resize(3, figure.panels[0]);
  const std::string svg = to_svg(figure);
  EXPECT_THAT(svg, HasSubstr("width=\"960.0\" height=\"680.0\""));
  for (const char* corner : {"M78.0 286.0m", "M558.0 286.0m", "M78.0 626.0m"}) {
    EXPECT_THAT(svg, HasSubstr(corner));
  }
}

TEST(Figure, NothingToDrawIsNoTrouble) {
  expect_well_formed(to_svg({}));
  expect_well_formed(to_svg({.panels = {Panel{}}}));
  expect_well_formed(to_svg({.panels = {{.series = {{.x = {kNan}, .y = {1}}}}}}));
  expect_well_formed(to_svg({.panels = {{.series = {{.x = {0, 0}, .y = {7, 7}}}}}}));
}

TEST(Figure, LegendTakesTheEmptiestCorner) {
  // Points in all corners but the lower right one.
  const std::string svg = to_svg(one_panel({.label = "l", .x = {1, 9, 1}, .y = {9, 9.5, 1}}));
  const std::regex box("<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" [^>]*fill-opacity");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(svg, match, box));
  EXPECT_GT(std::stod(match[1]), 270);
  EXPECT_GT(std::stod(match[2]), 161);
}

TEST(Figure, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(to_svg(one_panel({.x = {1, 2}, .y = {1}})), Error);
  EXPECT_THROW(to_svg(one_panel({.x = {1}, .y = {1}, .y_error = {1, 2}})), Error);
  Figure figure = one_panel({.x = {1}, .y = {1}});
  figure.panels[0].y = {.label = "", .logarithmic = true, .low = 0};
  EXPECT_THROW(to_svg(figure), Error);
  figure.panels[0].y = {.label = "", .low = 3, .high = 2};
  EXPECT_THROW(to_svg(figure), Error);
  figure.panels[0].y = {.label = "", .low = kNan};
  EXPECT_THROW(to_svg(figure), Error);
}

TEST(FigureAxis, TicksAreRoundNumbers) {
  const Axis axis;
  EXPECT_THAT(labels(make_scale({.label = "", .low = 0, .high = 1}, 0, 1)),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(make_scale({.label = "", .low = -30, .high = 30}, 0, 1)),
              ElementsAre("−30", "−20", "−10", "0", "10", "20", "30"));
  EXPECT_THAT(labels(make_scale({.label = "", .low = 0, .high = 2.5e6}, 0, 1)),
              ElementsAre("0", "0.5×10⁶", "1.0×10⁶", "1.5×10⁶", "2.0×10⁶", "2.5×10⁶"));
  EXPECT_THAT(labels(make_scale({.label = "", .low = 0, .high = 5e-5}, 0, 1)),
              ElementsAre("0", "1×10⁻⁵", "2×10⁻⁵", "3×10⁻⁵", "4×10⁻⁵", "5×10⁻⁵"));
}

TEST(FigureAxis, LogarithmicTicksAreDecadesOrPartsOfThem) {
  const auto of = [](double low, double high) {
    return labels(make_scale({.label = "", .logarithmic = true, .low = low, .high = high}, 1, 2));
  };
  EXPECT_THAT(of(0.1, 100), ElementsAre("0.1", "1", "10", "100"));
  EXPECT_THAT(of(1, 20), ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_THAT(of(2.5, 5.5), ElementsAre("3", "4", "5"));
  EXPECT_THAT(of(1e5, 1e7), ElementsAre("1×10⁵", "1×10⁶", "1×10⁷"));
}

TEST(FigureAxis, EndsHoldAllDataWithTicksBetween) {
  for (const double size : {1e-9, 1.0, 3e7}) {
    for (const bool logarithmic : {false, true}) {
      const double low = 0.3 * size, high = 7.7 * size;
      const Scale scale = make_scale({.label = "", .logarithmic = logarithmic}, low, high);
      EXPECT_GT(scale.fraction(low), 0);
      EXPECT_LT(scale.fraction(high), 1);
      EXPECT_GE(scale.ticks.size(), 3u);
      EXPECT_LE(scale.ticks.size(), 10u);
      for (const Tick& tick : scale.ticks) {
        EXPECT_GE(scale.fraction(tick.value), -1e-9);
        EXPECT_LE(scale.fraction(tick.value), 1 + 1e-9);
      }
    }
  }
}

class FigureFile : public TemporaryFolderTest {};

TEST_F(FigureFile, IsWrittenWhole) {
  const Figure figure = one_panel({.x = {1}, .y = {1}});
  write_svg(folder_ / "a.svg", figure);
  EXPECT_EQ(text_of(folder_ / "a.svg"), to_svg(figure));
  EXPECT_THROW(write_svg(folder_ / "no" / "a.svg", figure), Error);
}

}  // namespace
}  // namespace grouser::internal
