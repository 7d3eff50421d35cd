#include "render/figure_axis.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

constexpr double kMargin = 0.04;  // of the data's range, beyond it on either side
constexpr int kTicksWanted = 6;
constexpr int kFewestTicks = 3;

std::string superscript(int number) {
  static const char* const kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number))) text += kDigits[digit - '0'];
  return text;
}

int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

/// `value` as a multiple of 10^`decade` with the digits that the last place 10^`last` asks for.
std::string label_of(double value, int decade, int last) {
  const bool plain = decade >= -3 && decade <= 4;
  const int decimals = std::max(0, plain ? -last : decade - last);
  const double shown = plain ? value : value / std::pow(10, decade);
  std::string text = fmt::format("{:.{}f}", shown, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos) return "0";
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return plain ? text : text + "×10" + superscript(decade);
}

/// Multiples of 1, 2 or 5 times a power of ten.
std::vector<Tick> even_ticks(double low, double high) {
  const double raw = (high - low) / kTicksWanted;
  const int last = decade_of(raw);
  const double power = std::pow(10, last);
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= raw * (1 - 1e-9)) step = factor * power;
  }
  const int decade = decade_of(std::max(std::abs(low), std::abs(high)));
  std::vector<Tick> ticks;
  const double slack = 1e-9 * (high - low);
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) {
    ticks.push_back({i * step, label_of(i * step, decade, step > 9 * power ? last + 1 : last)});
  }
  return ticks;
}

/// Powers of ten; with 2 and 5, or all digits, times these where the axis is short.
std::vector<Tick> decade_ticks(double low, double high) {
  const int first = decade_of(low), end = decade_of(high);
  for (const int digits : {1, 3, 9}) {
    std::vector<Tick> ticks;
    const int stride = digits == 1 ? 1 + (end - first) / 8 : 1;
    for (int decade = first; decade <= end; decade += stride) {
      for (int digit = 1; digit <= 9; ++digit) {
        if (digits == 1 && digit > 1) break;
        if (digits == 3 && digit != 1 && digit != 2 && digit != 5) continue;
        const double value = digit * std::pow(10, decade);
        if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
        ticks.push_back({value, label_of(value, decade, decade)});
      }
    }
    if (static_cast<int>(ticks.size()) >= kFewestTicks) return ticks;
  }
  return even_ticks(low, high);
}

}  // namespace

bool Scale::shows(double value) const {
  return std::isfinite(value) && (!logarithmic || value > 0);
}

double Scale::fraction(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Scale make_scale(const Axis& axis, double low, double high) {
  Scale scale;
  scale.logarithmic = axis.logarithmic;
  if (low > high) {
    low = axis.low.value_or(axis.high ? *axis.high / 2 : 1);
    high = axis.high.value_or(2 * std::abs(low));
  }
  if (axis.logarithmic) {
    const double margin = std::pow(std::max(high / low, 1.1), kMargin);
    scale.low = axis.low.value_or(low / margin);
    scale.high = axis.high.value_or(high * margin);
    if (scale.low >= scale.high) scale.high = 10 * scale.low;
  } else {
    // A single value, or values that differ by rounding only, stand in the middle.
    const double least = std::max(1e-9 * std::max(std::abs(low), std::abs(high)), 1e-300);
    const double margin = high - low > least ? kMargin * (high - low)
                          : high == 0        ? 1
                                             : 0.5 * std::abs(high);
    scale.low = axis.low.value_or(low - margin);
    scale.high = axis.high.value_or(high + margin);
    if (scale.low >= scale.high) scale.high = scale.low + std::max(1.0, std::abs(scale.low));
  }
  scale.ticks =
      axis.logarithmic ? decade_ticks(scale.low, scale.high) : even_ticks(scale.low, scale.high);
  return scale;
}

}  // namespace grouser::internal
