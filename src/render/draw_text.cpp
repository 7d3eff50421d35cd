#include "render/draw_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace grouser::internal {
namespace {

constexpr int kLetterWidth = 5, kLetterHeight = 7;  // [dots]

struct Letter {
  char name;
  std::array<unsigned char, kLetterHeight> rows;  // the highest of five bits is the leftmost dot
};

constexpr Letter kLetters[] = {
    // clang-format off
    {'A', {14, 17, 17, 31, 17, 17, 17}},
    {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}},
    {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}},
    {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 15}},
    {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},
    {'J', {7, 2, 2, 2, 2, 18, 12}},
    {'K', {17, 18, 20, 24, 20, 18, 17}},
    {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}},
    {'N', {17, 17, 25, 21, 19, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}},
    {'P', {30, 17, 17, 30, 16, 16, 16}},
    {'Q', {14, 17, 17, 17, 21, 18, 13}},
    {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},
    {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}},
    {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 21, 10}},
    {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},
    {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},
    {'b', {16, 16, 22, 25, 17, 17, 30}},
    {'c', {0, 0, 14, 16, 16, 17, 14}},
    {'d', {1, 1, 13, 19, 17, 17, 15}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},
    {'f', {6, 9, 8, 28, 8, 8, 8}},
    {'g', {0, 15, 17, 17, 15, 1, 14}},
    {'h', {16, 16, 22, 25, 17, 17, 17}},
    {'i', {4, 0, 12, 4, 4, 4, 14}},
    {'j', {2, 0, 6, 2, 2, 18, 12}},
    {'k', {16, 16, 18, 20, 24, 20, 18}},
    {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'m', {0, 0, 26, 21, 21, 21, 21}},
    {'n', {0, 0, 22, 25, 17, 17, 17}},
    {'o', {0, 0, 14, 17, 17, 17, 14}},
    {'p', {0, 0, 30, 17, 30, 16, 16}},
    {'q', {0, 0, 13, 19, 15, 1, 1}},
    {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 14, 16, 14, 1, 30}},
    {'t', {8, 8, 28, 8, 8, 9, 6}},
    {'u', {0, 0, 17, 17, 17, 19, 13}},
    {'v', {0, 0, 17, 17, 17, 10, 4}},
    {'w', {0, 0, 17, 17, 21, 21, 10}},
    {'x', {0, 0, 17, 10, 4, 10, 17}},
    {'y', {0, 0, 17, 17, 15, 1, 14}},
    {'z', {0, 0, 31, 2, 4, 8, 31}},
    {'0', {14, 17, 19, 21, 25, 17, 14}},
    {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 2, 4, 8, 31}},
    {'3', {31, 2, 4, 2, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},
    {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},
    {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}},
    {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'-', {0, 0, 0, 31, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},
    {',', {0, 0, 0, 0, 12, 4, 8}},
    {':', {0, 12, 12, 0, 12, 12, 0}},
    {';', {0, 12, 12, 0, 12, 4, 8}},
    {'/', {0, 1, 2, 4, 8, 16, 0}},
    {'(', {2, 4, 8, 8, 8, 4, 2}},
    {')', {8, 4, 2, 2, 2, 4, 8}},
    {'[', {14, 8, 8, 8, 8, 8, 14}},
    {']', {14, 2, 2, 2, 2, 2, 14}},
    {'_', {0, 0, 0, 0, 0, 0, 31}},
    {'=', {0, 0, 31, 0, 31, 0, 0}},
    {'%', {24, 25, 2, 4, 8, 19, 3}},
    {'<', {2, 4, 8, 16, 8, 4, 2}},
    {'>', {8, 4, 2, 1, 2, 4, 8}},
    {'?', {14, 17, 1, 2, 4, 0, 4}},
    {'*', {0, 4, 21, 14, 21, 4, 0}},
    {'#', {10, 10, 31, 10, 31, 10, 10}},
    {'\'', {4, 4, 8, 0, 0, 0, 0}}
    // clang-format on
};

const Letter& letter_of(char c) {
  const auto found = std::ranges::find(kLetters, c, &Letter::name);
  return found != std::end(kLetters) ? *found : *std::ranges::find(kLetters, '?', &Letter::name);
}

}  // namespace

void put_pixel(Image& image, int x, int y, const Vec3& colour) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  for (Eigen::Index k = 0; k < 3; ++k) {
    image.pixel(x, y)[k] =
        static_cast<std::uint8_t>(std::lround(255 * std::clamp(colour[k], 0.0, 1.0)));
  }
}

int text_width(std::string_view text, int dot) {
  return static_cast<int>(text.size()) * (kLetterWidth + 1) * dot - dot;
}

int text_height(int dot) { return kLetterHeight * dot; }

void draw_text(std::string_view text, int left, int top, int dot, const Vec3& colour,
               Image& image) {
  for (const char c : text) {
    for (int y = 0; c != ' ' && y < dot * kLetterHeight; ++y) {
      const unsigned row = letter_of(c).rows[static_cast<std::size_t>(y / dot)];
      for (int x = 0; x < dot * kLetterWidth; ++x) {
        const int bit = kLetterWidth - 1 - x / dot;
        if ((row >> bit & 1U) != 0) put_pixel(image, left + x, top + y, colour);
      }
    }
    left += (kLetterWidth + 1) * dot;
  }
}

}  // namespace grouser::internal
