#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contact/pcm/clean_surface.h"
#include "contact/pcm/map_target.h"
#include "contact/pcm/material.h"
#include "contact/pcm/roles.h"

namespace grouser::internal {

/// How contact elements are found. Both ways give the same bits.
enum class Detection {
  penetration,   ///< penetration lines against triangles: fast, any mesh
  intersection,  ///< triangles that cut each other, regions between them: slow, clean meshes only
};
inline constexpr std::array<const char*, 2> kDetectionNames = {"penetration", "intersection"};

struct PcmOptions {
  Detection detection = Detection::penetration;
  FrameChoice frame = FrameChoice::automatic;
  DampingOptions damping;
  FrictionRise rise = FrictionRise::parabola;
};

/// The surface of a body, or of the world.
struct PcmSurface {
  static constexpr int kFixed = -1;
  static constexpr int kNoGroup = -1;

  std::string name;
  int body = kFixed;
  Pose X_BS;  ///< frame of the mesh in the body; in W if fixed
  std::shared_ptr<const TriMesh> mesh;
  LayerMaterial material;
  ContactRole role = ContactRole::any;
  double max_penetration = 0.01;  ///< u_max, if it becomes a base [m], > 0
  int group = kNoGroup;           ///< surfaces of one group do not touch each other
};

/// Ground as target: triangles are made from the map's cells as they are needed.
struct PcmTerrain {
  std::string name;
  std::shared_ptr<const ElevationMap> map;
  LayerMaterial material;
  int group = PcmSurface::kNoGroup;
};

/// Two surfaces that may touch.
struct PcmPair {
  int base = 0;
  int target = 0;           ///< terrains count on after the surfaces
  std::string role_reason;  ///< why these roles
  DetectionFrame frame = DetectionFrame::target;
  std::string frame_reason;
  LayerPair law;
  std::shared_ptr<const BaseSurface> base_surface;
  std::shared_ptr<const TargetSurface> target_surface;  ///< nothing: a terrain
  /// With Detection::intersection only.
  std::shared_ptr<const CleanSurface> clean_base, clean_target;
};

/// All meshes that may touch, and by which laws: immutable, shared by threads. Surfaces touch that are not on
/// one body, not in one group, not both fixed, and can be base and target to each other. Trees of equal
/// meshes are shared.
class PcmScene {
 public:
  /// Throws Error(input) with everything that is wrong with any of them; with Detection::intersection also
  /// with what makes a mesh unfit for that.
  explicit PcmScene(std::vector<PcmSurface> surfaces, std::vector<PcmTerrain> terrains = {},
                    const PcmOptions& options = {});

  std::span<const PcmSurface> surfaces() const { return surfaces_; }
  std::span<const PcmTerrain> terrains() const { return terrains_; }
  std::span<const PcmPair> pairs() const { return pairs_; }
  const PcmOptions& options() const { return options_; }
  const Aabb& local_box(int surface) const { return boxes_[static_cast<std::size_t>(surface)]; }
  bool is_terrain(int target) const { return static_cast<std::size_t>(target) >= surfaces_.size(); }
  const std::string& name_of(int target) const;

 private:
  bool may_touch(const PcmSurface& a, const PcmSurface& b) const;
  void add_pair(int a, int b);
  void add_terrain_pair(int base, int terrain);
  const std::shared_ptr<const BaseSurface>& base_of(int surface);
  const std::shared_ptr<const TargetSurface>& target_of(int surface);
  void add_clean_surfaces(IssueList& issues);

  std::vector<PcmSurface> surfaces_;
  std::vector<PcmTerrain> terrains_;
  PcmOptions options_;
  std::vector<Aabb> boxes_;
  std::vector<MeshGrain> grains_;
  std::vector<PcmPair> pairs_;
  // Of the meshes that have any, to be shared.
  std::map<std::pair<const TriMesh*, double>, std::shared_ptr<const BaseSurface>> bases_;
  std::map<const TriMesh*, std::shared_ptr<const TargetSurface>> targets_;
};

}  // namespace grouser::internal
