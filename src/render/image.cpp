#include "render/image.h"

#include <png.h>

#include "core/disk.h"
#include "core/error.h"

namespace grouser::internal {

Image::Image(int width_px, int height_px)
    : width(width_px),
      height(height_px),
      rgb(3 * static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px)) {}

std::vector<std::byte> encode_png(const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  const auto encode = [&](void* memory) {
    if (png_image_write_to_memory(&png, memory, &size, 0, image.rgb.data(), 0, nullptr) == 0) {
      throw Error(ErrorKind::io,
                  {.message = std::string("cannot encode the picture: ") + png.message});
    }
  };
  encode(nullptr);  // only asks for the size
  std::vector<std::byte> bytes(size);
  encode(bytes.data());
  bytes.resize(size);
  return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image) {
  const std::vector<std::byte> bytes = encode_png(image);
  AtomicFile output(file);
  output.write(bytes);
  output.commit();
}

}  // namespace grouser::internal
