#pragma once

#include <string_view>

#include "math/spatial.h"
#include "render/image.h"

/// Letters in pictures: ASCII, of dots that are a whole number of pixels wide.
namespace grouser::internal {

/// Colour is sRGB in [0, 1]. Nothing outside the picture.
void put_pixel(Image& image, int x, int y, const Vec3& colour);

int text_width(std::string_view text, int dot);  ///< [px]
int text_height(int dot);                        ///< [px]

/// What has no letter is drawn as a question mark.
void draw_text(std::string_view text, int left, int top, int dot, const Vec3& colour, Image& image);

}  // namespace grouser::internal
