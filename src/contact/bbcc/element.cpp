#include "contact/bbcc/element.h"

namespace grouser::internal {

Collider collider_of(const ContactElement& element) {
  return {
      .body = element.body, .X_BE = element.X_BE, .parts = element.parts, .group = element.group};
}

GroundCollider collider_of(const TerrainElement& terrain) {
  return {.map = terrain.map, .group = terrain.group};
}

void check(const ContactElement& element, const std::string& place, IssueList& issues) {
  check(collider_of(element), place, issues);
  check(element.material, place.empty() ? "material" : place + ".material", issues);
}

void check(const TerrainElement& terrain, const std::string& place, IssueList& issues) {
  check(collider_of(terrain), place, issues);
  check(terrain.material, place.empty() ? "material" : place + ".material", issues);
}

ContactRadius contact_radius(const Convex& shape) {
  ContactRadius radius{.edge = bounds(shape, Pose{}).size().maxCoeff()};
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.radius; }) radius.round = s.radius;
      },
      shape);
  return radius;
}

double effective_radius(ContactLaws laws, const ContactRadius& a, const ContactRadius& b) {
  const bool by_edges = laws == ContactLaws::paper || (a.round == 0 && b.round == 0);
  const double ra = by_edges ? a.edge : a.round, rb = by_edges ? b.edge : b.round;
  if (ra == 0) return rb;
  if (rb == 0) return ra;
  return ra * rb / (ra + rb);
}

double effective_radius(ContactLaws laws, const ContactRadius& a) {
  return laws == ContactLaws::paper || a.round == 0 ? a.edge : a.round;
}

}  // namespace grouser::internal
