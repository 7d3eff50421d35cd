#include "record/contact_state_file.h"

#include <cmath>
#include <vector>

namespace grouser {
namespace {

constexpr const char* kPath = "/state/contacts";
constexpr std::size_t kPerTouch = 5;

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

}  // namespace

void write_contacts(hid_t file, const BbccState& state) {
  std::vector<double> numbers;
  for (const BbccTouch& touch : state.touches) {
    for (const std::int32_t n : {touch.pair.a, touch.pair.i, touch.pair.b, touch.pair.j}) {
      numbers.push_back(n);
    }
    numbers.push_back(touch.impact_speed);
  }
  h5::write_vector(file, kPath, numbers);
}

BbccState read_contacts(hid_t file, const BbccScene& scene) {
  const std::vector<double> numbers = h5::read_vector(file, kPath);
  if (numbers.size() % kPerTouch != 0) {
    throw h5::Failure("its contacts are damaged: their count is odd");
  }
  const std::size_t ends = scene.elements().size() + scene.terrains().size();
  BbccState state;
  for (std::size_t k = 0; k < numbers.size(); k += kPerTouch) {
    BbccTouch touch;
    touch.pair.a = whole(numbers[k], ends);
    touch.pair.i = whole(numbers[k + 1], part_count(scene, touch.pair.a));
    touch.pair.b = whole(numbers[k + 2], ends);
    touch.pair.j = whole(numbers[k + 3], part_count(scene, touch.pair.b));
    touch.impact_speed = numbers[k + 4];
    if (!(touch.impact_speed >= 0 && std::isfinite(touch.impact_speed)) ||
        (!state.touches.empty() && !(state.touches.back().pair < touch.pair))) {
      throw h5::Failure("its contacts are damaged: a speed or the order makes no sense");
    }
    state.touches.push_back(touch);
  }
  return state;
}

}  // namespace grouser
