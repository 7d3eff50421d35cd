#pragma once

#include "contact/pcm/base_surface.h"
#include "contact/pcm/detection.h"

namespace grouser::internal {

/// How a base stands to its target, and in which frame lines are cast.
struct CastFrames {
  Pose X_TB, X_BT;
  DetectionFrame frame;

  CastFrames(const Pose& base_in_target, DetectionFrame where)
      : X_TB(base_in_target), X_BT(base_in_target.inverse()), frame(where) {}
};

/// Casts the lines of one packet at triangles. All ways of detection go through here, so that the same line
/// and the same triangle give the same bits.
class PacketCaster {
 public:
  PacketCaster(const CastFrames& frames, const LinePacket& packet, double reach)
      : frames_(frames),
        packet_(packet),
        origin_T_(frames.X_TB.R * packet.origin + frames.X_TB.p),
        direction_T_(frames.X_TB.R * packet.direction),
        hits_(reach) {}

  /// In the frame of the target.
  const Vec3x8& origin() const { return origin_T_; }
  const Vec3x8& direction() const { return direction_T_; }
  const PacketHits& hits() const { return hits_; }

  /// A triangle in the frame of the target.
  void test(const TargetTriangle& t, std::int64_t number) {
    if (frames_.frame == DetectionFrame::target) {
      cast(origin_T_, direction_T_, t, number, hits_);
    } else {
      const Pose& X = frames_.X_BT;
      cast(packet_.origin, packet_.direction, TargetTriangle::of(X * t.a, X * t.b, X * t.c), number,
           hits_);
    }
  }

 private:
  const CastFrames& frames_;
  const LinePacket& packet_;
  Vec3x8 origin_T_, direction_T_;
  PacketHits hits_;
};

}  // namespace grouser::internal
