#include "geometry/qhull.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "geometry/tri_mesh.h"

namespace grouser::internal {
namespace {

/// A stream into memory for what Qhull has to say.
class Transcript {
 public:
  Transcript() : stream_(open_memstream(&text_, &size_)) {}
  ~Transcript() {
    if (stream_) std::fclose(stream_);
    std::free(text_);
  }
  Transcript(const Transcript&) = delete;
  Transcript& operator=(const Transcript&) = delete;

  FILE* stream() const { return stream_; }
  std::string first_line() const {
    std::fflush(stream_);
    const std::string text(text_, size_);
    return text.substr(0, text.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* stream_;
};

/// Qhull's state, freed at the end.
class Session {
 public:
  explicit Session(FILE* errors) : qh_(std::make_unique<qhT>()) { qh_zero(qh_.get(), errors); }
  ~Session() {
    qh_freeqhull(qh_.get(), !qh_ALL);
    int pieces = 0, bytes = 0;
    qh_memfreeshort(qh_.get(), &pieces, &bytes);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  qhT* get() { return qh_.get(); }

 private:
  std::unique_ptr<qhT> qh_;
};

/// The corners of a facet in order, to be freed; null on an internal error. Such errors jump, or
/// end the program if nobody is prepared; nothing here needs a destructor.
setT* corners_of(qhT* qh, facetT* facet) {
  setT* volatile corners = nullptr;
  if (setjmp(qh->errexit) == 0) {
    qh->NOerrexit = False;
    corners = qh_facet3vertex(qh, facet);
  }
  qh->NOerrexit = True;
  return corners;
}

/// Empty on an internal error of Qhull.
std::vector<std::int32_t> polygon_of(qhT* qh, facetT* facet, std::span<const Vec3> points) {
  std::vector<std::int32_t> polygon;
  setT* vertices = corners_of(qh, facet);
  if (!vertices) return {};
  vertexT *vertex, **vertexp;
  FOREACHvertex_(vertices) polygon.push_back(qh_pointid(qh, vertex->point));
  qh_settempfree(qh, &vertices);

  Vec3 area = Vec3::Zero();
  const Vec3& origin = points[slot(polygon[0])];
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    area += (points[slot(polygon[i - 1])] - origin).cross(points[slot(polygon[i])] - origin);
  }
  const Vec3 outward(facet->normal[0], facet->normal[1], facet->normal[2]);
  if (area.dot(outward) < 0) std::ranges::reverse(polygon);
  return polygon;
}

}  // namespace

HullFaces qhull_faces(std::span<const Vec3> points) {
  const Transcript transcript;
  if (!transcript.stream()) return {.failure = "out of memory"};
  Session session(transcript.stream());
  qhT* qh = session.get();

  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.begin(), p.end());
  char command[] = "qhull Pp";  // Pp: no warnings about precision
  const int status = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                  command, nullptr, transcript.stream());
  if (status != 0) return {.failure = transcript.first_line()};

  HullFaces faces;
  facetT* facet;
  FORALLfacets {
    faces.polygons.push_back(polygon_of(qh, facet, points));
    if (faces.polygons.back().size() < 3) return {.failure = transcript.first_line()};
  }
  return faces;
}

}  // namespace grouser::internal
