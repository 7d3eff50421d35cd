#include "geometry/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

namespace grouser::internal {
namespace {

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t least_bytes = 0;  // of one such element
  std::uint64_t properties = 0;
};

struct Header {
  bool is_text = false;
  std::vector<Element> elements;
};

/// Bytes of a number of this type; 0 for an unknown one.
std::uint64_t bytes_of_type(std::string_view type) {
  if (type == "char" || type == "uchar" || type == "int8" || type == "uint8") return 1;
  if (type == "short" || type == "ushort" || type == "int16" || type == "uint16") return 2;
  if (type == "int" || type == "uint" || type == "int32" || type == "uint32") return 4;
  if (type == "float" || type == "float32") return 4;
  if (type == "double" || type == "float64") return 8;
  return 0;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Takes in one line of the header. Returns what is wrong with it, or nothing.
std::string take(const std::vector<std::string>& words, Header& header) {
  if (words.empty() || words[0] == "comment" || words[0] == "obj_info") return {};
  if (words[0] == "format") {
    if (words.size() < 2) return "does not state its format";
    header.is_text = words[1] == "ascii";
    const bool is_known =
        header.is_text || words[1] == "binary_little_endian" || words[1] == "binary_big_endian";
    return is_known ? "" : fmt::format("has the unknown format '{}'", words[1].substr(0, 40));
  }
  if (words[0] == "element") {
    Element element{.name = words.size() > 1 ? words[1].substr(0, 40) : ""};
    const std::string number = words.size() > 2 ? words[2] : "";
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), element.count);
    if (error != std::errc{} || end != number.data() + number.size() || element.name.empty()) {
      return fmt::format("claims '{}' elements of kind '{}'", number.substr(0, 40), element.name);
    }
    header.elements.push_back(element);
    return {};
  }
  if (words[0] == "property") {
    if (header.elements.empty()) return "has a property before the first element";
    Element& element = header.elements.back();
    // A list can be empty: it takes at least the number of its entries.
    const bool is_list = words.size() > 1 && words[1] == "list";
    const std::size_t type = is_list ? 2 : 1;
    if (words.size() < (is_list ? 5U : 3U)) return "has a property without type or name";
    const std::uint64_t bytes = bytes_of_type(words[type]);
    if (bytes == 0 || (is_list && bytes_of_type(words[3]) == 0)) {
      return fmt::format("has a property of the unknown type '{}'",
                         words[bytes == 0 ? type : 3].substr(0, 40));
    }
    element.least_bytes += bytes;
    ++element.properties;
    return {};
  }
  return fmt::format("has the unknown header line '{}'", words[0].substr(0, 40));
}

std::string check_counts(const Header& header, std::uint64_t room, std::uint64_t max_triangles) {
  std::uint64_t left = room;
  for (const Element& element : header.elements) {
    if (element.count == 0) continue;
    if (element.properties == 0) {
      return fmt::format("has {} elements '{}' without any property", element.count, element.name);
    }
    // In text a number takes a digit and a blank; the last blank of the file may be missing.
    const std::uint64_t each = header.is_text ? 2 * element.properties : element.least_bytes;
    const std::uint64_t possible = (left + (header.is_text ? 1 : 0)) / each;
    if (element.count > possible) {
      return fmt::format("claims {} elements '{}', but has room for {} at most", element.count,
                         element.name, possible);
    }
    left -= std::min(left, each * element.count);
    if (element.name == "face" && element.count > max_triangles) {
      return fmt::format("has {} faces, more than the {} allowed", element.count, max_triangles);
    }
  }
  return {};
}

}  // namespace

std::string guard_ply(std::string_view beginning, std::uint64_t file_bytes,
                      std::uint64_t max_triangles) {
  if (!beginning.starts_with("ply")) return "does not begin with \"ply\" as a PLY file does";
  Header header;
  bool has_format = false;
  std::size_t at = beginning.find_first_of("\r\n");
  while (at != std::string_view::npos) {
    at = beginning.find_first_not_of("\r\n", at);
    if (at == std::string_view::npos) break;
    const std::size_t end = beginning.find_first_of("\r\n", at);
    const auto words = words_of(std::string(beginning.substr(at, end - at)));
    if (!words.empty() && words[0] == "end_header") {
      if (!has_format) return "does not state its format";
      const std::uint64_t header_bytes = end == std::string_view::npos ? file_bytes : end + 1;
      return check_counts(header, file_bytes - std::min(file_bytes, header_bytes), max_triangles);
    }
    if (end == std::string_view::npos) break;
    if (!words.empty() && words[0] == "format") has_format = true;
    if (std::string wrong = take(words, header); !wrong.empty()) return wrong;
    at = end;
  }
  return "has a header without end";
}

}  // namespace grouser::internal
