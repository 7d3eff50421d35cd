#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "math/spatial.h"

/// The parameters of a generator are a plain struct, and one function
///     template <class Visitor> void visit_fields(WheelSpec& spec, Visitor& visit);
/// that calls visit(field, value) once per parameter, in a fixed order, with a FieldInfo and a
/// reference. Ids, range checks, YAML, command-line flags and their help all come from this one list.
/// A value is one of: bool, int, std::uint64_t, double, Vec2, Vec3, std::string, std::vector<Vec2>, an
/// enum (visit(field, value, names) with the names of its values 0, 1, 2, ...), another struct that has
/// visit_fields, a std::optional or std::vector of such structs, or a std::optional double. The range of a Vec2, Vec3 or list of
/// points holds for each of its numbers.
namespace grouser::internal {

struct FieldInfo {
  const char* name;       ///< snake_case, as in YAML; a flag writes it with dashes
  const char* help;       ///< half a sentence, with what a special value means
  const char* unit = "";  ///< "m", "deg", "kg/m³"; "" if none
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  ///< min itself is not legal
  bool is_file = false;   ///< a path, relative to the file that names it
  const char* hint = "";  ///< said when a number is too large, e.g. on units

  /// The same field with the legal range [low, high].
  constexpr FieldInfo in(double low, double high) const {
    FieldInfo field = *this;
    field.min = low;
    field.max = high;
    return field;
  }
  /// The same field with the legal range (low, high].
  constexpr FieldInfo above(double low, double high) const {
    FieldInfo field = in(low, high);
    field.open_min = true;
    return field;
  }
  /// The same field, with what to say when a number is too large.
  constexpr FieldInfo hinted(const char* text) const {
    FieldInfo field = *this;
    field.hint = text;
    return field;
  }
};

/// Structs whose fields a visitor can be shown.
template <class T, class Visitor>
concept HasFields = requires(T& value, Visitor& visit) {
  visit_fields(value, visit);
};

/// What made an asset. `generator_of(spec)` gives it for each kind of parameters.
struct GeneratorInfo {
  const char* kind;  ///< also the first part of the file's name
  int version;       ///< raised whenever the same parameters give another asset than before
};

}  // namespace grouser::internal
