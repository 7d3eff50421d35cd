#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace grouser::internal {

/// A picture: red, green, blue per pixel, in rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 width height bytes, sRGB

  Image() = default;
  Image(int width_px, int height_px);

  std::uint8_t* pixel(int x, int y) {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(x));
  }
  const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

/// The picture as the bytes of a PNG file; the same picture gives the same bytes.
std::vector<std::byte> encode_png(const Image& image);

/// Writes a PNG that appears only when complete; the same picture gives the same bytes. Throws
/// Error(io).
void write_png(const std::filesystem::path& file, const Image& image);

}  // namespace grouser::internal
