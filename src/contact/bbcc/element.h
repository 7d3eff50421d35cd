#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/bbcc/convex.h"
#include "contact/bbcc/material.h"
#include "terrain/elevation_map.h"

namespace grouser {

/// A convex piece of a contact element.
struct ContactPart {
  Convex shape;
  Pose X_EC;  ///< its frame in the element
};

/// A solid without mass, fixed to a body, that touches others. Several parts make a compound: they may
/// overlap, and share material, group and body.
struct ContactElement {
  static constexpr int kFixed = -1;    ///< body of an element that is fixed to the world
  static constexpr int kNoGroup = -1;  ///< may touch everything

  std::string name;
  int body = kFixed;
  Pose X_BE;  ///< frame of the element in its body; in W if fixed
  std::vector<ContactPart> parts;
  Material material;
  int group = kNoGroup;  ///< elements of one group (>= 0) never touch each other
};

/// Ground that does not give way. Solid below its surface, however deep; beyond the map's domain it goes
/// on at the height of the nearest point.
struct TerrainElement {
  std::string name;
  std::shared_ptr<const ElevationMap> map;
  Material material;
  int group = ContactElement::kNoGroup;
};

/// A rim with straight grousers, the axle along y, as in the wheel bodies of the rovers.
struct WheelContactSpec {
  double radius = 0.129;             ///< of the rim [m], > 0
  double width = 0.1;                ///< along the axle [m], > 0
  int grousers = 0;                  ///< evenly spread; the first stands on top, towards z
  double grouser_height = 0.008;     ///< above the rim [m], > 0 if there are grousers
  double grouser_thickness = 0.003;  ///< around the axle [m], > 0 and < 2 radius if there are any
};

/// A cylinder, and a cuboid per grouser that reaches into it far enough to close the gap under its foot.
/// Throws Error(input) naming every field that is out of range.
std::vector<ContactPart> wheel_parts(const WheelContactSpec& spec);

/// The convex hull around points. Throws Error(input) as convex_hull() does.
ContactPart hull_part(std::span<const Vec3> points, const Pose& X_EC = {});

/// Adds what is wrong: no parts, sizes that are not positive, a frame that is no rotation, no hull, the
/// material's findings. `place` leads the names of the fields.
void check(const ContactElement& element, const std::string& place, IssueList& issues);
void check(const TerrainElement& terrain, const std::string& place, IssueList& issues);

/// Box around all parts, in the element's frame.
Aabb local_bounds(const ContactElement& element);

/// Radius that stands for a shape in the stiffness of a contact. One per shape, not per place, so that
/// the force does not jump between a cylinder's side and its end.
struct ContactRadius {
  double round = 0;  ///< of a sphere, cylinder or capsule [m]; 0 for shapes of flat faces
  double edge = 0;   ///< longest side of the box around the shape in its own frame [m]
};
ContactRadius contact_radius(const Convex& shape);

/// Effective radius R [m] of two shapes: 1/R = 1/R₁ + 1/R₂. hertz: true radii, a flat face being a sphere
/// without curvature; only two flat shapes are taken as round as their longest edges, as the paper takes
/// all.
double effective_radius(ContactLaws laws, const ContactRadius& a, const ContactRadius& b);

/// Against ground, which is flat: of hertz and paper alike, 1/R of the ground is 0.
double effective_radius(ContactLaws laws, const ContactRadius& a);

}  // namespace grouser
