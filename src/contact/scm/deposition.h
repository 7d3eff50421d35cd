#pragma once

#include <cstdint>
#include <vector>

#include "contact/scm/options.h"
#include "contact/scm/scm_force.h"
#include "contact/scm/soil_work.h"

namespace grouser::internal {

/// One body in an update of the soil: what scm_force() found at the accepted step, and its motion.
struct SoilToucher {
  const Footprint* footprint = nullptr;  ///< with its underside
  const ScmForce* force = nullptr;
  Pose X_WB;
  Twist V_WB;  ///< of its origin, axes of W
  ScmBodyMemory* memory = nullptr;

  /// Of its surface over a cell of the footprint.
  struct Motion {
    double closing;  ///< into the soil, vertically [m/s]: the height that it takes per time
    double slide_x, slide_y;  ///< along the surface, seen from above [m/s]
  };
  Motion motion(const ContactCell& cell) const;
};

/// Soil to be laid down.
struct SoilSource {
  std::int32_t i = 0, j = 0;  ///< column of the window that it comes from
  double height = 0;          ///< [m], a multiple of the quantum
  double pushed = 0;          ///< part that goes ahead, not to all sides [-], 0 ... 1
  Vec2 ahead = Vec2::Zero();  ///< unit, where the body pushes it
};

/// Neighbouring sources, taken together to be shared out.
struct SoilEmitter {
  double i = 0, j = 0;        ///< their middle, in columns and rows of the window
  double height = 0;          ///< sum of theirs [m]
  double pushed = 0;          ///< part of it that goes ahead [-]
  Vec2 ahead = Vec2::Zero();  ///< unit
};

/// Nodes that soil is laid down on, and how much.
struct SoilReceivers {
  std::vector<float> i, j;         ///< column and row of the window
  std::vector<std::int32_t> node;  ///< padded
  std::vector<float> weight;       ///< length of border, or area, that the node stands for
  std::vector<Vec2> outward;       ///< away from where the soil comes from, any length
  std::vector<float> gain;         ///< height that it gets [m]

  void clear();
  void reserve(std::size_t count);
  void add(int column, int row, std::size_t padded, double node_weight, const Vec2& node_outward);
  /// Adds some of no weight, far off, until vector units are filled.
  void fill_up();
  /// Without those.
  std::size_t size() const { return node.size(); }
};

struct DepositionScratch {
  std::vector<SoilSource> sources;
  std::vector<SoilEmitter> emitters;
  std::vector<std::int32_t> blocks;  // per block of the window: its emitter, or -1
  SoilReceivers receivers;
  NodeRect region;               // of the window, where the body may take soil from
  std::vector<double> pressed;   // per padded node: 1 where the body takes soil from, else 0
  std::vector<double> distance;  // per padded node, of flow.cpp: from the footprint, in cells
  // Per receiver.
  std::vector<float> all_round, cosines;
  std::vector<double> powers, exponents;
};

/// What a body has pressed down of the soil and was not laid down elsewhere yet, column by column. A
/// column that is covered in part goes down by that part only. `skipped`: nodes, on the map, that the
/// body may have pressed and left since the last update, unseen. How much of those was covered is not
/// known any more: all where their neighbours were pressed too, else half.
///
/// What goes to all sides and what goes ahead are as the vertical and the horizontal part of the
/// velocity along the surface's normal (Krenn & Hirzinger 2008, equations (7), (8)); all goes to all sides
/// where the surface does not close in on the soil. What a wall takes that the body pushes out goes ahead too,
/// outward; ours.
void find_sources(const SoilToucher& body, const NodeRect& skipped, SoilWork& work,
                  DepositionScratch& scratch);

/// Makes emitters of the sources: one of all that stand within a block of the map of `side` x `side`
/// nodes. With blocks of a fixed size, finer grids have no more of them.
void find_emitters(int side, const SoilWork& work, DepositionScratch& scratch);

/// The free nodes next to those that soil is taken from. Each stands for a length of border: the
/// gradient of the pressed region by Sobel's operator, which gives the length of lines of any direction
/// where a count of nodes would favour diagonal ones.
void find_border(SoilWork& work, DepositionScratch& scratch);

/// How what spreads from a source thins out with distance d: along a border the share of a piece of
/// length l is l/d², which on a straight border is the angle that it takes of the source's view.
/// Spread over an area it is 1/d.
enum class Thinning { line, area };

/// Shares each emitter out to the receivers, to all sides with their weight and 1/dᵀd (10), ahead with
/// cos^m α besides where cos α > 0 (11). Exact: takes from the sources what it gives. Nothing is moved
/// if there is nowhere to put it. Returns the sum of the heights moved [m].
///
/// Differs: (11) has no distance. Then shares would hang on how long the border is and how far it goes
/// on, and the result on the spacing of the grid.
double lay_down(const ScmOptions& options, Thinning thinning, SoilWork& work,
                DepositionScratch& scratch);

}  // namespace grouser::internal
