#include "record/contact_state_file.h"

#include <cmath>
#include <tuple>
#include <vector>

namespace grouser {
namespace {

constexpr const char* kPath = "/state/contacts";
constexpr const char* kPointsPath = "/state/contact_points";
constexpr std::size_t kPerTouch = 5, kPerPoint = 14;
constexpr std::size_t kMostPoints = 1u << 20;  // of one pair: far more than there ever are

std::int32_t whole(double number, std::size_t end) {
  if (!(number >= 0 && number < static_cast<double>(end)) || number != std::floor(number)) {
    throw h5::Failure("its contacts are damaged: a number is out of range");
  }
  return static_cast<std::int32_t>(number);
}

std::size_t part_count(const BbccScene& scene, std::int32_t element) {
  const auto e = static_cast<std::size_t>(element);
  return e < scene.elements().size() ? scene.elements()[e].parts.size() : 1;  // a terrain has one
}

void append(const PartPair& pair, std::vector<double>& numbers) {
  for (const std::int32_t n : {pair.a, pair.i, pair.b, pair.j}) numbers.push_back(n);
}

PartPair read_pair(const double* numbers, const BbccScene& scene) {
  const std::size_t ends = scene.elements().size() + scene.terrains().size();
  PartPair pair;
  pair.a = whole(numbers[0], ends);
  pair.i = whole(numbers[1], part_count(scene, pair.a));
  pair.b = whole(numbers[2], ends);
  pair.j = whole(numbers[3], part_count(scene, pair.b));
  return pair;
}

std::vector<double> read_rows(hid_t file, const char* path, std::size_t columns) {
  std::vector<double> numbers = h5::read_vector(file, path);
  if (numbers.size() % columns != 0) {
    throw h5::Failure("its contacts are damaged: their count is odd");
  }
  return numbers;
}

std::vector<PressedPoint> read_points(hid_t file, const BbccScene& scene) {
  const std::vector<double> numbers = read_rows(file, kPointsPath, kPerPoint);
  std::vector<PressedPoint> points;
  for (std::size_t k = 0; k < numbers.size(); k += kPerPoint) {
    PressedPoint point{.pair = read_pair(numbers.data() + k, scene),
                       .point = whole(numbers[k + 4], kMostPoints),
                       .p_W = Vec3(numbers[k + 5], numbers[k + 6], numbers[k + 7]),
                       .force = Vec3(numbers[k + 8], numbers[k + 9], numbers[k + 10]),
                       .torque = Vec3(numbers[k + 11], numbers[k + 12], numbers[k + 13])};
    const auto key = [](const PressedPoint& p) { return std::tie(p.pair, p.point); };
    if (!point.p_W.allFinite() || !point.force.allFinite() || !point.torque.allFinite() ||
        (!points.empty() && !(key(points.back()) < key(point)))) {
      throw h5::Failure("its contacts are damaged: a force or the order makes no sense");
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace

void write_contacts(hid_t file, const BbccState& state) {
  std::vector<double> touches, points;
  for (const BbccTouch& touch : state.touches) {
    append(touch.pair, touches);
    touches.push_back(touch.impact_speed);
  }
  for (const PressedPoint& point : state.points) {
    append(point.pair, points);
    points.push_back(point.point);
    points.insert(points.end(), point.p_W.begin(), point.p_W.end());
    points.insert(points.end(), point.force.begin(), point.force.end());
    points.insert(points.end(), point.torque.begin(), point.torque.end());
  }
  h5::write_vector(file, kPath, touches);
  h5::write_vector(file, kPointsPath, points);
}

BbccState read_contacts(hid_t file, const BbccScene& scene) {
  const std::vector<double> numbers = read_rows(file, kPath, kPerTouch);
  BbccState state;
  for (std::size_t k = 0; k < numbers.size(); k += kPerTouch) {
    BbccTouch touch{.pair = read_pair(numbers.data() + k, scene), .impact_speed = numbers[k + 4]};
    if (!(touch.impact_speed >= 0 && std::isfinite(touch.impact_speed)) ||
        (!state.touches.empty() && !(state.touches.back().pair < touch.pair))) {
      throw h5::Failure("its contacts are damaged: a speed or the order makes no sense");
    }
    state.touches.push_back(touch);
  }
  state.points = read_points(file, scene);
  return state;
}

}  // namespace grouser
