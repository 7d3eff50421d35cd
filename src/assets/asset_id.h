#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assets/fields.h"

/// The identity of an asset: XXH64 of its canonical text, which names the generator, its version and
/// every parameter with its value, in a fixed order. The same text stands at the head of the file.
///   - numbers are written so that equal texts mean equal bits, but -0 is 0;
///   - a file counts by its content: moving it changes nothing, editing it does;
///   - a choice is written by name, so that choices added later change no id.
namespace grouser::internal {

/// Writes the fields of a struct, one line "path = value" each.
class CanonicalText {
 public:
  const std::string& text() const { return text_; }
  void generator(const GeneratorInfo& generator);

  void operator()(const FieldInfo& field, bool value);
  void operator()(const FieldInfo& field, int value);
  void operator()(const FieldInfo& field, std::uint64_t value);
  void operator()(const FieldInfo& field, double value);
  void operator()(const FieldInfo& field, const Vec2& value);
  void operator()(const FieldInfo& field, const Vec3& value);
  /// Reads the file that a field names; throws Error(io) if it cannot.
  void operator()(const FieldInfo& field, const std::string& value);
  void operator()(const FieldInfo& field, const std::vector<Vec2>& value);

  template <class Enum, std::size_t N>
  void operator()(const FieldInfo& field, const Enum& value,
                  const std::array<const char*, N>& names) {
    line(field, names.at(static_cast<std::size_t>(value)));
  }

  template <HasFields<CanonicalText> Struct>
  void operator()(const FieldInfo& field, Struct& value) {
    enter(field.name, value);
  }

  template <HasFields<CanonicalText> Struct>
  void operator()(const FieldInfo& field, std::optional<Struct>& value) {
    line(field, value ? "given" : "none");
    if (value) enter(field.name, *value);
  }

  template <HasFields<CanonicalText> Struct>
  void operator()(const FieldInfo& field, std::vector<Struct>& values) {
    line(field, std::to_string(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      enter(std::string(field.name) + "[" + std::to_string(i) + "]", values[i]);
    }
  }

 private:
  void line(const FieldInfo& field, const std::string& value);

  template <class Struct>
  void enter(const std::string& name, Struct& value) {
    const std::size_t length = path_.size();
    path_ += name + ".";
    visit_fields(value, *this);
    path_.resize(length);
  }

  std::string text_;
  std::string path_;  // of the struct that is visited, with a dot at its end
};

/// By value, because a visitor may also write.
template <class Spec>
std::string canonical_text(Spec spec) {
  CanonicalText text;
  text.generator(generator_of(spec));
  visit_fields(spec, text);
  return text.text();
}

/// The hash behind every id.
std::uint64_t text_hash(const std::string& text);

/// Hash of a file's bytes; throws Error(io) if it cannot be read.
std::uint64_t content_hash(const std::filesystem::path& file);

}  // namespace grouser::internal
