#include "contact/bbcc/rigid_points.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/index.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kPointsPerPair = 4;
/// Points nearer than this are one [m].
constexpr double kSamePlace = 1e-6;

auto key(const PressedPoint& point) { return std::tie(point.pair, point.point); }

/// Numbers, ascending, of points that span the patch: the deepest, the one farthest from it, and the farthest
/// on both sides of the line between these; none twice, and none where another is.
std::span<const int> spanning_points(const OverlappingPair& contact,
                                     std::array<int, kPointsPerPair>& out) {
  const std::span<const OverlapPoint> points = contact.points;
  const auto farthest = [&](auto&& measure) {
    int best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double value = measure(points[k]);
      if (value > most) most = value, best = static_cast<int>(k);
    }
    return best;
  };
  std::size_t count = std::min(points.size(), kPointsPerPair);
  for (std::size_t k = 0; k < count; ++k) out[k] = static_cast<int>(k);
  if (points.size() > kPointsPerPair) {
    out[0] = farthest([](const OverlapPoint& p) { return p.depth; });
    const Vec3& first = points[at(out[0])].p;
    out[1] = farthest([&](const OverlapPoint& p) { return (p.p - first).squaredNorm(); });
    const Vec3 across = contact.normal.cross(points[at(out[1])].p - first);
    out[2] = farthest([&](const OverlapPoint& p) { return across.dot(p.p - first); });
    out[3] = farthest([&](const OverlapPoint& p) { return -across.dot(p.p - first); });
    std::ranges::sort(out);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3& p = points[at(out[k])].p;
    const bool is_new =
        std::none_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept),
                     [&](int n) { return (points[at(n)].p - p).norm() < kSamePlace; });
    if (is_new) out[kept++] = out[k];
  }
  return {out.data(), kept};
}

}  // namespace

void add_rigid_contacts(const BbccScene& scene, std::span<const OverlappingPair> found,
                        double margin, std::span<const PressedPoint> last, RigidContacts& out) {
  const int elements = static_cast<int>(scene.elements().size());
  const auto body_of = [&](int e) {
    return e < elements ? scene.elements()[at(e)].body : RigidContact::kWorld;
  };
  for (const OverlappingPair& contact : found) {
    const PartPair& pair = contact.pair;
    const MaterialPair& materials = scene.materials(pair.a, pair.b);
    std::array<int, kPointsPerPair> numbers{};
    for (const int number : spanning_points(contact, numbers)) {
      const OverlapPoint& point = contact.points[at(number)];
      // Free motion may lead deep into each other; bodies touch on their surfaces, not in the middle of that.
      const Vec3 to_surface = 0.5 * point.depth * point.normal;
      out.contacts.push_back({.body_a = body_of(pair.a),
                              .body_b = body_of(pair.b),
                              .p_Wa = point.p - to_surface,
                              .p_Wb = point.p + to_surface,
                              .normal = point.normal,
                              .gap = margin - point.depth,
                              .friction = materials.friction.sliding,
                              .restitution = materials.restitution,
                              .rolling = materials.rolling,
                              .spinning = materials.spinning});
      out.points.push_back({.key = {pair.a, pair.i, pair.b, pair.j, number}, .p_W = point.p});
      const auto wanted = std::tie(pair, number);
      const auto known = std::ranges::lower_bound(last, wanted, {}, key);
      const bool is_known = known != last.end() && key(*known) == wanted;
      out.wrenches.push_back(is_known ? Wrench{known->torque, known->force} : Wrench{});
    }
  }
}

void add_pressed(const BbccState& state, const BbccScene& scene, std::span<const Pose> X_WB,
                 std::span<Wrench> wrenches) {
  const std::span<const ContactElement> elements = scene.elements();
  const auto add = [&](int e, const Vec3& p_W, const Wrench& at_point) {
    if (at(e) >= elements.size() || elements[at(e)].body == ContactElement::kFixed) return;
    const std::size_t body = at(elements[at(e)].body);
    wrenches[body] += at_point.shifted(X_WB[body].p - p_W);
  };
  for (const PressedPoint& point : state.points) {
    add(point.pair.a, point.p_W, {point.torque, point.force});
    add(point.pair.b, point.p_W, {-point.torque, -point.force});
  }
}

}  // namespace grouser::internal
