// The memory of body contact as numbers.
#include <cmath>
#include <tuple>

#include "contact/bbcc/bbcc_system.h"
#include "contact/number_stream.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kPerTouch = 5, kPerPoint = 14;
constexpr double kMostPoints = 1 << 20;  // of one pair: far more than there ever are

std::size_t part_count(const BbccScene& scene, int element) {
  return at(element) < scene.elements().size() ? scene.elements()[at(element)].parts.size()
                                               : 1;  // a terrain has one
}

void check_pair(const PartPair& pair, const BbccScene& scene) {
  const std::size_t ends = scene.elements().size() + scene.terrains().size();
  const auto is_part = [&](std::int32_t element, std::int32_t part) {
    return element >= 0 && at(element) < ends && part >= 0 && at(part) < part_count(scene, element);
  };
  if (!is_part(pair.a, pair.i) || !is_part(pair.b, pair.j)) {
    throw DamagedMemory("a contact is of elements that there are not");
  }
}

template <class State, class Visit>
void visit_pair(State& pair, Visit&& visit) {
  visit(pair.a);
  visit(pair.i);
  visit(pair.b);
  visit(pair.j);
}

template <class Touch, class Visit>
void visit_touch(Touch& touch, Visit&& visit) {
  visit_pair(touch.pair, visit);
  visit(touch.impact_speed);
}

template <class Point, class Visit>
void visit_point(Point& point, Visit&& visit) {
  visit_pair(point.pair, visit);
  visit(point.point);
  for_each_component(point.p_W, visit);
  for_each_component(point.force, visit);
  for_each_component(point.torque, visit);
}

std::int32_t count_of(const auto& list) { return static_cast<std::int32_t>(list.size()); }

template <class Visit>
void visit_state(const BbccState& state, Visit&& visit) {
  visit(count_of(state.touches));
  for (const BbccTouch& touch : state.touches) visit_touch(touch, visit);
  visit(count_of(state.points));
  for (const PressedPoint& point : state.points) visit_point(point, visit);
}

}  // namespace

void BbccState::hash(Hasher& hasher) const {
  if (!empty()) visit_state(*this, NumberHasher(hasher));
}

std::vector<double> BbccSystem::save(const ContactMemory& memory) const {
  NumberWriter write;
  visit_state(memory.as<BbccState>(), write);
  return write.take();
}

ContactMemory BbccSystem::load(std::span<const double> numbers) const {
  BbccState state;
  NumberReader read(numbers);
  state.touches.resize(read.count(kPerTouch));
  for (std::size_t k = 0; k < state.touches.size(); ++k) {
    BbccTouch& touch = state.touches[k];
    visit_touch(touch, read);
    check_pair(touch.pair, *scene_);
    if (!(touch.impact_speed >= 0) || (k > 0 && !(state.touches[k - 1].pair < touch.pair))) {
      throw DamagedMemory("a speed or the order of contacts makes no sense");
    }
  }
  state.points.resize(read.count(kPerPoint));
  const auto key = [](const PressedPoint& p) { return std::tie(p.pair, p.point); };
  for (std::size_t k = 0; k < state.points.size(); ++k) {
    PressedPoint& point = state.points[k];
    visit_point(point, read);
    check_pair(point.pair, *scene_);
    if (!(point.point >= 0 && point.point < kMostPoints) ||
        (k > 0 && !(key(state.points[k - 1]) < key(point)))) {
      throw DamagedMemory("the order of points of contact makes no sense");
    }
  }
  read.expect_end();
  return ContactMemory(std::move(state));
}

}  // namespace grouser::internal
