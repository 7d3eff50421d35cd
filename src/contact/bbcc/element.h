#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collision/collider.h"
#include "contact/bbcc/material.h"

namespace grouser::internal {

/// A solid without mass, fixed to a body, that touches others: a Collider of some material.
struct ContactElement {
  static constexpr int kFixed = Collider::kFixed;
  static constexpr int kNoGroup = Collider::kNoGroup;

  std::string name;
  int body = kFixed;
  Pose X_BE;  ///< frame of the element in its body; in W if fixed
  std::vector<ContactPart> parts;
  Material material;
  int group = kNoGroup;  ///< elements of one group (>= 0) never touch each other
};

/// Ground that does not give way: a GroundCollider of some material.
struct TerrainElement {
  std::string name;
  std::shared_ptr<const ElevationMap> map;
  Material material;
  int group = ContactElement::kNoGroup;
};

/// All but name and material.
Collider collider_of(const ContactElement& element);
GroundCollider collider_of(const TerrainElement& terrain);

/// Adds what is wrong with the collider and the material. `place` leads the names of the fields.
void check(const ContactElement& element, const std::string& place, IssueList& issues);
void check(const TerrainElement& terrain, const std::string& place, IssueList& issues);

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

}  // namespace grouser::internal
