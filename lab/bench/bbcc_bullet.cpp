#include "lab/bench/bbcc_pairs.h"

#ifdef GROUSER_WITH_BULLET
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#endif

namespace grouser::internal {

#ifdef GROUSER_WITH_BULLET

namespace {

using Shape = std::unique_ptr<btConvexShape>;

btVector3 vector_of(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

btTransform transform_of(const Pose& X) {
  const auto at = [&](int i, int j) { return static_cast<btScalar>(X.R(i, j)); };
  const btMatrix3x3 R(at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0),
                      at(2, 1), at(2, 2));
  return btTransform(R, vector_of(X.p));
}

struct MakeShape {
  Shape operator()(const BoxShape& s) const {
    return std::make_unique<btBoxShape>(vector_of(0.5 * s.size));
  }
  Shape operator()(const CylinderShape& s) const {
    return std::make_unique<btCylinderShapeZ>(vector_of({s.radius, s.radius, 0.5 * s.length}));
  }
  Shape operator()(const std::shared_ptr<const HullSolid>& s) const {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& p : s->mesh().vertices) hull->addPoint(vector_of(p), false);
    hull->recalcLocalAabb();
    return hull;
  }
  template <class Other>
  Shape operator()(const Other&) const {
    return nullptr;
  }
};

struct Deepest : btDiscreteCollisionDetectorInterface::Result {
  btScalar depth = 0;

  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override {
    depth = btMax(depth, -distance);
  }
};

struct Placed {
  Shape a, b;
  btDiscreteCollisionDetectorInterface::ClosestPointInput at;
};

void find_contact(const Placed& pair, Deepest& found) {
  if (pair.a->getShapeType() == BOX_SHAPE_PROXYTYPE &&
      pair.b->getShapeType() == BOX_SHAPE_PROXYTYPE) {
    btBoxBoxDetector detector(static_cast<const btBoxShape*>(pair.a.get()),
                              static_cast<const btBoxShape*>(pair.b.get()));
    detector.getClosestPoints(pair.at, found, nullptr);
    return;
  }
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(pair.a.get(), pair.b.get(), &simplex, &depth);
  detector.getClosestPoints(pair.at, found, nullptr);
}

}  // namespace

std::optional<double> time_bullet(const BenchPairs& pairs) {
  std::vector<Placed> placed(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    placed[k].a = std::visit(MakeShape{}, pairs[k].A);
    placed[k].b = std::visit(MakeShape{}, pairs[k].B);
    placed[k].at.m_transformA = transform_of(pairs[k].X_WA);
    placed[k].at.m_transformB = transform_of(pairs[k].X_WB);
  }
  return time_pairs(pairs, [&](const BenchPair& pair) {
    Deepest found;
    find_contact(placed[static_cast<std::size_t>(&pair - pairs.data())], found);
  });
}

#else

std::optional<double> time_bullet(const BenchPairs&) { return {}; }

#endif

}  // namespace grouser::internal
