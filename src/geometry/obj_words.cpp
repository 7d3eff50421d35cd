#include "geometry/obj_words.h"

#include <locale.h>
#include <stdlib.h>

#include <charconv>
#include <string>

namespace grouser::internal {
namespace {

/// As strtod() reads it, whatever language the program speaks: in some, the point is a comma.
double plain_strtod(const std::string& word) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(word.c_str(), nullptr, plain);
}

}  // namespace

std::optional<double> obj_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return {};
  // Too small or too large for a double; from_chars() does not tell which.
  if (error == std::errc::result_out_of_range) return plain_strtod(std::string(word));
  return value;
}

}  // namespace grouser::internal
