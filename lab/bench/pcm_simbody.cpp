#include "lab/bench/pcm_bench.h"

#ifdef GROUSER_HAVE_SIMBODY
#include <Simbody.h>
#endif

namespace grouser::internal {

#ifdef GROUSER_HAVE_SIMBODY

namespace {

SimTK::ContactGeometry::TriangleMesh mesh_of(const TriMesh& mesh) {
  SimTK::Array_<SimTK::Vec3> vertices;
  SimTK::Array_<int> faces;
  for (const Vec3& v : mesh.vertices) vertices.push_back(SimTK::Vec3(v.x(), v.y(), v.z()));
  for (const Triangle& t : mesh.triangles) {
    for (const std::int32_t v : t) faces.push_back(v);
  }
  return SimTK::ContactGeometry::TriangleMesh(vertices, faces);
}

SimTK::Transform transform_of(const Pose& X) {
  SimTK::Mat33 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = X.R(i, j);
  }
  return {SimTK::Rotation(R), SimTK::Vec3(X.p.x(), X.p.y(), X.p.z())};
}

}  // namespace

std::optional<double> time_simbody(const TriMesh& fixed, const TriMesh& ball,
                                   std::span<const Pose> poses) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralContactSubsystem contacts(system);
  SimTK::GeneralForceSubsystem forces(system);
  const SimTK::ContactSetIndex set = contacts.createContactSet();
  const SimTK::Body::Rigid body(SimTK::MassProperties(10, SimTK::Vec3(0), SimTK::Inertia(0.5)));
  SimTK::MobilizedBody::Free free(matter.updGround(), SimTK::Transform(), body, SimTK::Transform());
  contacts.addBody(set, matter.updGround(), mesh_of(fixed), SimTK::Transform());
  contacts.addBody(set, free, mesh_of(ball), SimTK::Transform());
  SimTK::ElasticFoundationForce foundation(forces, contacts, set);
  foundation.setBodyParameters(SimTK::ContactSurfaceIndex(0), 1e8, 0.1, 0.3, 0.3, 0);
  SimTK::State state = system.realizeTopology();
  system.realizeModel(state);
  std::size_t next = 0;
  const double us = time_us([&] {
    free.setQToFitTransform(state, transform_of(poses[next++ % poses.size()]));
    system.realize(state, SimTK::Stage::Dynamics);
  });
  return us;
}

#else

std::optional<double> time_simbody(const TriMesh&, const TriMesh&, std::span<const Pose>) {
  return {};
}

#endif

}  // namespace grouser::internal
