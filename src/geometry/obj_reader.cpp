#include "geometry/obj_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "geometry/obj_words.h"
#include "geometry/polygon.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMaxIssues = 10;
constexpr std::uint64_t kMaxCuttingSteps = 1'000'000'000;  // a few seconds

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file, std::uint64_t max_triangles)
      : words_(text), file_(file), max_triangles_(max_triangles) {}

  MeshFile run() {
    while (!words_.at_end() && issues_.issues().size() < kMaxIssues) {
      read_line();
      words_.next_line();
    }
    check_forward_references();
    issues_.throw_if_any();
    cut_polygons();
    return {std::move(mesh_), notes()};
  }

 private:
  /// A face of more than three corners, cut when all vertices are known.
  struct Polygon {
    std::size_t first_corner, corners, first_triangle;
  };
  struct ForwardReference {
    std::int64_t index;
    int line;
  };

  void read_line() {
    const std::string_view keyword = words_.next();
    if (keyword == "v") return read_vertex();
    if (keyword == "f" || keyword == "fo") return read_face();
    if (keyword == "l" || keyword == "p") {
      ++lines_and_points_;
    } else if (std::ranges::find(kSkipped, keyword) == kSkipped.end()) {
      note_unknown(keyword);
    }
  }

  void read_vertex() {
    const int line = words_.line();
    Vec3 vertex = Vec3::Zero();
    for (double& coordinate : vertex) {
      const std::string_view word = words_.next();
      const std::optional<double> value = obj_number(word);
      if (!value || !std::isfinite(*value)) {
        refuse(line, "a vertex needs three finite numbers", word.empty() ? "too few" : word);
        break;  // it counts as a vertex all the same, so that faces do not seem wrong too
      }
      coordinate = *value;
    }
    if (mesh_.vertices.size() >= std::numeric_limits<std::int32_t>::max()) {
      return refuse(line, "too many vertices", {});
    }
    mesh_.vertices.push_back(vertex);
  }

  void read_face() {
    const int line = words_.line();
    face_.clear();
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      const std::optional<std::int32_t> corner = read_corner(word, line);
      if (!corner) return;
      face_.push_back(*corner);
    }
    if (face_.size() < 3) {
      return refuse(line, "a face needs at least three corners", std::to_string(face_.size()));
    }
    add_face(line);
  }

  /// Index from 0 of "7", "7/1", "7//3" or "7/1/3".
  std::optional<std::int32_t> read_corner(std::string_view word, int line) {
    std::int64_t index = 0;
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, index);
    if (error != std::errc{} || (end != last && *end != '/')) {
      refuse(line, "a corner of a face must be the number of a vertex", word);
      return {};
    }
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    if (index < 0) index += count + 1;  // -1 is the last one so far
    if (index < 1 || index > std::numeric_limits<std::int32_t>::max()) {
      refuse(line,
             fmt::format("a face names a vertex that is not there; there are {} so far", count),
             word);
      return {};
    }
    if (index > count) forward_references_.push_back({index, line});
    return static_cast<std::int32_t>(index - 1);
  }

  void add_face(int line) {
    const std::size_t count = face_.size() - 2;
    if (mesh_.triangles.size() + count > max_triangles_) {
      refuse(line, fmt::format("more than {} triangles", max_triangles_), {});
      throw Error(ErrorKind::input, issues_.issues());
    }
    if (count == 1) {
      mesh_.triangles.push_back({face_[0], face_[1], face_[2]});
      return;
    }
    polygons_.push_back({corners_.size(), face_.size(), mesh_.triangles.size()});
    corners_.insert(corners_.end(), face_.begin(), face_.end());
    mesh_.triangles.resize(mesh_.triangles.size() + count);
  }

  void cut_polygons() {
    std::uint64_t budget = kMaxCuttingSteps;
    for (const Polygon& p : polygons_) {
      const bool is_done =
          cut_polygon(mesh_.vertices, std::span(corners_).subspan(p.first_corner, p.corners),
                      std::span(mesh_.triangles).subspan(p.first_triangle, p.corners - 2), budget);
      if (!is_done) ++carelessly_cut_;
    }
  }

  void check_forward_references() {
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    for (const auto& [index, line] : forward_references_) {
      if (issues_.issues().size() >= kMaxIssues) return;
      if (index <= count) continue;
      refuse(line, fmt::format("a face names a vertex that is not there; there are {}", count),
             std::to_string(index));
    }
  }

  void note_unknown(std::string_view keyword) {
    if (unknown_lines_++ > 0) return;
    if (std::ranges::any_of(keyword, [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
      refuse(words_.line(), "is not text", {});
    }
    first_unknown_ = fmt::format("'{}' in line {}", keyword.substr(0, 40), words_.line());
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (lines_and_points_ > 0) {
      notes.push_back(fmt::format("left out {} lines or points", lines_and_points_));
    }
    if (unknown_lines_ > 0) {
      notes.push_back(
          fmt::format("skipped {} lines with keywords that say nothing about triangles, "
                      "the first of them {}",
                      unknown_lines_, first_unknown_));
    }
    if (carelessly_cut_ > 0) {
      notes.push_back(fmt::format(
          "cut {} concave polygons carelessly, there being too many corners", carelessly_cut_));
    }
    return notes;
  }

  void refuse(int line, std::string message, std::string_view value) {
    issues_.add({.message = std::move(message),
                 .file = file_,
                 .line = line,
                 .value = std::string(value.substr(0, 40))});
  }

  static constexpr std::array<std::string_view, 16> kSkipped = {
      "",       "vt",     "vn",     "vp",     "g",     "o",        "s",        "mg",
      "usemtl", "mtllib", "usemap", "maplib", "bevel", "c_interp", "d_interp", "lod"};

  ObjWords words_;
  const std::string& file_;
  std::uint64_t max_triangles_;
  IssueList issues_;
  TriMesh mesh_;
  std::vector<std::int32_t> face_;
  std::vector<std::int32_t> corners_;
  std::vector<Polygon> polygons_;
  std::vector<ForwardReference> forward_references_;
  std::size_t lines_and_points_ = 0, unknown_lines_ = 0, carelessly_cut_ = 0;
  std::string first_unknown_;
};

}  // namespace

MeshFile read_obj_text(std::string_view text, const std::string& file,
                       std::uint64_t max_triangles) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  return ObjReader(text, file, max_triangles).run();
}

}  // namespace grouser::internal
