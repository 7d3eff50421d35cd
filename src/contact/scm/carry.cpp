#include "contact/scm/carry.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace grouser::internal {
namespace {

/// The part of a patch's sinkage that may be carried off in one update.
constexpr double kMostAtOnce = 0.5;
/// Behind a wheel, a strip that just springs back lies between what bears and the end of contact [nodes].
constexpr int kFar = 100;

class Carrier {
 public:
  Carrier(const SoilToucher& body, const SoilMap& soils, const ScmOptions& options, SoilWork& work,
          CarryScratch& scratch)
      : body_(body),
        cells_(body.footprint->cells),
        soils_(soils),
        options_(options),
        work_(work),
        s_(scratch) {}

  void run(double dt) {
    const std::size_t patches = body_.footprint->patches.size();
    for (std::vector<double>* sums : {&s_.out, &s_.least, &s_.weight}) {
      sums->reserve(work_.grid.size());
      sums->assign(patches, 0);
    }
    s_.outflows.reserve(work_.grid.size());
    s_.outflows.clear();
    s_.first.reserve(work_.grid.size());
    s_.first.resize(patches);
    for (std::size_t c = cells_.size(); c-- > 0;) {
      s_.first[at(cells_[c].patch)] = c;
      s_.weight[at(cells_[c].patch)] += cells_[c].coverage;
      s_.least[at(cells_[c].patch)] += cells_[c].coverage * body_.force->loads[c].sinkage;
    }
    for (const BoundaryPiece& piece : body_.footprint->boundary) add_outflow(piece, dt);
    leave();
    take();
  }

 private:
  const Soil& soil_at(const ContactCell& cell) const {
    return soils_.soils().size() == 1 ? soils_.soils()[0]
                                      : soils_.at(cell.centre.x(), cell.centre.y());
  }

  /// Through a piece of the boundary, to the next node beyond which no body presses.
  void add_outflow(const BoundaryPiece& piece, double dt) {
    const std::size_t c = at(piece.cell);
    const ContactCell& cell = cells_[c];
    const auto [closing, vx, vy] = body_.motion(cell);
    const Vec2 sliding(vx, vy);
    const double outward = sliding.dot(piece.outward);
    if (outward <= 0) return;
    const std::int32_t beyond = body_.footprint->node_beyond(cell.node, step_of(sliding), kFar);
    if (beyond < 0) return;
    const SoilWork::Place place = work_.place(body_.footprint->window, beyond);
    if (place.i < 0 || place.j < 0 || place.i >= work_.grid.nx || place.j >= work_.grid.ny) return;
    const std::size_t node = work_.grid.index(place.i, place.j);
    if (work_.held[node] != 0) return;
    const CellLoad load = body_.force->loads[c];
    const double modulus = soil_at(cell).shear_modulus;
    const double mobilised = options_.shear == ScmOptions::Shear::janosi
                                 ? std::min(1.0, load.shear.norm() / modulus)
                                 : std::tanh(sliding.norm() / options_.coulomb_speed);
    const double layer = std::min(options_.carry * modulus, load.sinkage);
    const double ds = work_.window.grid.spacing;
    const double height = layer * mobilised * outward * dt * piece.length / (ds * ds);
    s_.outflows.push_back({at(cell.patch), node, work_.step_along(sliding), height});
    s_.out[at(cell.patch)] += height;
  }

  void leave() {
    for (std::size_t p = 0; p < s_.out.size(); ++p) {
      const double most = kMostAtOnce * s_.least[p];
      s_.least[p] = s_.out[p] > most ? most / s_.out[p] : 1;  // now: what part of it may go
      s_.out[p] = 0;
    }
    for (const CarryScratch::Outflow& flow : s_.outflows) {
      const double height = to_soil_quanta(flow.height * s_.least[flow.patch]);
      work_.heap(flow.node, flow.step, height);
      s_.out[flow.patch] += height;
    }
  }

  /// From all cells of a patch alike; its first one takes what rounding leaves.
  void take() {
    for (std::size_t p = 0; p < s_.out.size(); ++p) s_.weight[p] = s_.out[p] / s_.weight[p];
    for (std::size_t c = cells_.size(); c-- > 0;) {
      const ContactCell& cell = cells_[c];
      double& left = s_.out[at(cell.patch)];
      const double even = to_soil_quanta(s_.weight[at(cell.patch)] * cell.coverage);
      const double height = s_.first[at(cell.patch)] == c ? left : even;
      const SoilWork::Place place = work_.place(body_.footprint->window, cell.node);
      work_.change[work_.grid.index(place.i, place.j)] -= height;
      left -= height;
    }
  }

  const SoilToucher& body_;
  const ContactCells& cells_;
  const SoilMap& soils_;
  const ScmOptions& options_;
  SoilWork& work_;
  CarryScratch& s_;
};

}  // namespace

void carry_along(const SoilToucher& body, double dt, const SoilMap& soils,
                 const ScmOptions& options, SoilWork& work, CarryScratch& scratch) {
  if (options.carry == 0 || body.footprint->empty()) return;
  Carrier(body, soils, options, work, scratch).run(dt);
}

}  // namespace grouser::internal
