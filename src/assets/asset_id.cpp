#include "assets/asset_id.h"

#include <cerrno>
#include <fstream>

#include <fmt/format.h>

#include "core/disk.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

std::string number(double value) { return format_number(value == 0 ? 0 : value); }

}  // namespace

void CanonicalText::generator(const GeneratorInfo& generator) {
  text_ += fmt::format("generator = {} {}\n", generator.kind, generator.version);
}

void CanonicalText::line(const FieldInfo& field, const std::string& value) {
  text_ += path_;
  text_ += field.name;
  text_ += " = ";
  text_ += value;
  text_ += '\n';
}

void CanonicalText::operator()(const FieldInfo& field, bool value) {
  line(field, value ? "true" : "false");
}

void CanonicalText::operator()(const FieldInfo& field, int value) {
  line(field, std::to_string(value));
}

void CanonicalText::operator()(const FieldInfo& field, std::uint64_t value) {
  line(field, std::to_string(value));
}

void CanonicalText::operator()(const FieldInfo& field, double value) { line(field, number(value)); }

void CanonicalText::operator()(const FieldInfo& field, const Vec2& value) {
  line(field, number(value.x()) + " " + number(value.y()));
}

void CanonicalText::operator()(const FieldInfo& field, const Vec3& value) {
  line(field, number(value.x()) + " " + number(value.y()) + " " + number(value.z()));
}

void CanonicalText::operator()(const FieldInfo& field, const std::string& value) {
  line(field, field.is_file ? "content " + hash_text(content_hash(value)) : value);
}

void CanonicalText::operator()(const FieldInfo& field, const std::vector<Vec2>& value) {
  std::string points = std::to_string(value.size());
  for (const Vec2& point : value) points += " " + number(point.x()) + " " + number(point.y());
  line(field, points);
}

std::uint64_t text_hash(const std::string& text) {
  Hasher hasher;
  hasher.bytes(std::as_bytes(std::span(text)));
  return hasher.digest();
}

std::uint64_t content_hash(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  Hasher hasher;
  std::vector<char> block(std::size_t{1} << 16);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    hasher.bytes(std::as_bytes(std::span(block).first(static_cast<std::size_t>(in.gcount()))));
  }
  if (!in.eof()) {
    throw Error(ErrorKind::io,
                {.message = "cannot read: " + errno_text(errno), .file = file.string()});
  }
  return hasher.digest();
}

}  // namespace grouser::internal
