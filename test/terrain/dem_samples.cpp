#include "terrain/dem_samples.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

template <class T>
void put_big_endian(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::reverse(bytes, bytes + sizeof(T));
  out.append(bytes, sizeof(T));
}

void put_value(std::string& out, double value, int bits, int format) {
  if (format == 6) {
    put(out, static_cast<float>(value));
    put(out, 0.0F);
  } else if (format == 3) {
    bits == 64 ? put(out, value) : put(out, static_cast<float>(value));
  } else if (bits == 8) {
    put(out, static_cast<std::uint8_t>(value));
  } else if (format == 2) {
    put(out, static_cast<std::int16_t>(value));
  } else {
    put(out, static_cast<std::uint16_t>(value));
  }
}

// Fields of a TIFF directory; the data of each follows the directory.
class TiffTags {
 public:
  void shorts(int tag, const std::vector<int>& values) {
    std::string data;
    for (const int value : values) put(data, static_cast<std::uint16_t>(value));
    add(tag, 3, values.size(), data);
  }
  void longs(int tag, std::uint32_t value) {
    std::string data;
    put(data, value);
    add(tag, 4, 1, data);
  }
  void doubles(int tag, const std::vector<double>& values) {
    std::string data;
    for (const double value : values) put(data, value);
    add(tag, 12, values.size(), data);
  }
  void text(int tag, const std::string& value) { add(tag, 2, value.size() + 1, value + '\0'); }

  std::string bytes(std::uint32_t at) const {
    std::string directory, data;
    const std::uint32_t data_at = at + 2 + 12 * static_cast<std::uint32_t>(tags_.size()) + 4;
    put(directory, static_cast<std::uint16_t>(tags_.size()));
    for (const Tag& tag : tags_) {
      put(directory, static_cast<std::uint16_t>(tag.id));
      put(directory, static_cast<std::uint16_t>(tag.type));
      put(directory, static_cast<std::uint32_t>(tag.count));
      if (tag.data.size() <= 4) {
        directory += tag.data + std::string(4 - tag.data.size(), '\0');
      } else {
        put(directory, data_at + static_cast<std::uint32_t>(data.size()));
        data += tag.data + std::string(tag.data.size() % 2, '\0');
      }
    }
    put(directory, std::uint32_t{0});
    return directory + data;
  }

 private:
  struct Tag {
    int id, type;
    std::size_t count;
    std::string data;
  };
  void add(int id, int type, std::size_t count, std::string data) {
    tags_.push_back({id, type, count, std::move(data)});
  }
  std::vector<Tag> tags_;
};

void put_geo_tags(const TiffSample& sample, TiffTags& tags) {
  if (!sample.pixel_scale.empty()) {
    tags.doubles(33550, {sample.pixel_scale[0], sample.pixel_scale[1], 0});
    tags.doubles(33922, {0, 0, 0, sample.west, sample.north, 0});
  }
  if (!sample.matrix.empty()) tags.doubles(34264, sample.matrix);
  if (!sample.keys.empty()) {
    std::vector<int> keys = {1, 1, 0, static_cast<int>(sample.keys.size() + sample.radii.size())};
    for (const TiffSample::Key& key : sample.keys)
      keys.insert(keys.end(), {key.id, 0, 1, key.value});
    for (int k = 0; k < static_cast<int>(sample.radii.size()); ++k) {
      keys.insert(keys.end(), {2057 + k, 34736, 1, k});
    }
    tags.shorts(34735, keys);
  }
  if (!sample.radii.empty()) tags.doubles(34736, sample.radii);
}

// Checksum of PNG's chunks (ISO 3309), bit by bit.
std::uint32_t crc32_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
  }
  return ~crc;
}

void put_chunk(std::string& out, const std::string& type, const std::string& data) {
  put_big_endian(out, static_cast<std::uint32_t>(data.size()));
  out += type + data;
  put_big_endian(out, crc32_of(type + data));
}

// A zlib stream of one stored block, up to 65535 bytes.
std::string stored(const std::string& data) {
  std::string out = "\x78\x01\x01";
  put(out, static_cast<std::uint16_t>(data.size()));
  put(out, static_cast<std::uint16_t>(~data.size()));
  out += data;
  std::uint32_t a = 1, b = 0;
  for (const char c : data) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put_big_endian(out, b << 16 | a);
  return out;
}

}  // namespace

std::string tiff_bytes(const TiffSample& sample) {
  std::string pixels;
  for (const double value : sample.values) {
    put_value(pixels, value, sample.bits, sample.sample_format);
  }
  constexpr std::uint32_t kPixelsAt = 8;
  const std::size_t bands = static_cast<std::size_t>(sample.bands);
  const std::uint32_t directory_at =
      kPixelsAt + static_cast<std::uint32_t>(pixels.size() + pixels.size() % 2);
  TiffTags tags;
  tags.longs(256, static_cast<std::uint32_t>(sample.nx));
  tags.longs(257, static_cast<std::uint32_t>(sample.ny));
  tags.shorts(258, std::vector<int>(bands, sample.sample_format == 6 ? 64 : sample.bits));
  tags.shorts(259, {1});
  tags.shorts(262, {sample.photometric});
  tags.longs(273, kPixelsAt);
  tags.shorts(277, {sample.bands});
  tags.longs(278, static_cast<std::uint32_t>(sample.ny));
  tags.longs(279, static_cast<std::uint32_t>(pixels.size()));
  if (sample.photometric == 3) {
    tags.shorts(320, std::vector<int>(3 * 256, 1000));
  }
  if (sample.alpha) tags.shorts(338, {2});
  tags.shorts(339, std::vector<int>(bands, sample.sample_format));
  put_geo_tags(sample, tags);
  if (!sample.metadata.empty()) tags.text(42112, sample.metadata);
  if (!sample.no_data.empty()) tags.text(42113, sample.no_data);

  std::string out = "II";
  put(out, std::uint16_t{42});
  put(out, directory_at);
  out += pixels + std::string(pixels.size() % 2, '\0');
  return out + tags.bytes(directory_at);
}

std::string png_bytes(int nx, int ny, int bits, const std::vector<int>& values) {
  std::string header;
  put_big_endian(header, static_cast<std::uint32_t>(nx));
  put_big_endian(header, static_cast<std::uint32_t>(ny));
  header += static_cast<char>(bits);
  header += std::string(4, '\0');  // grey, deflate, no filter, not interlaced
  std::string rows;
  for (int r = 0; r < ny; ++r) {
    rows += '\0';
    for (int c = 0; c < nx; ++c) {
      const int value = values[static_cast<std::size_t>(r * nx + c)];
      bits == 8 ? put(rows, static_cast<std::uint8_t>(value))
                : put_big_endian(rows, static_cast<std::uint16_t>(value));
    }
  }
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", stored(rows));
  put_chunk(out, "IEND", "");
  return out;
}

std::string ascii_grid(int nx, int ny, double cell, const std::vector<double>& values,
                       const std::string& more_header) {
  std::string out = fmt::format("ncols {}\nnrows {}\nxllcorner 100\nyllcorner 200\ncellsize {}\n{}",
                                nx, ny, cell, more_header);
  for (int r = 0; r < ny; ++r) {
    for (int c = 0; c < nx; ++c)
      out += fmt::format("{} ", values[static_cast<std::size_t>(r * nx + c)]);
    out += "\n";
  }
  return out;
}

std::string isis_cube(int nx, int ny, double pixel, const std::vector<double>& values) {
  constexpr std::size_t kLabel = 2048;
  std::string out = fmt::format(R"(Object = IsisCube
  Object = Core
    StartByte = {}
    Format = BandSequential
    Group = Dimensions
      Samples = {}
      Lines = {}
      Bands = 1
    End_Group
    Group = Pixels
      Type = Real
      ByteOrder = Lsb
      Base = 0.0
      Multiplier = 1.0
    End_Group
  End_Object
  Group = Mapping
    ProjectionName = Equirectangular
    CenterLongitude = 0.0
    CenterLatitude = 0.0
    TargetName = Moon
    EquatorialRadius = 1737400.0 <meters>
    PolarRadius = 1737400.0 <meters>
    LatitudeType = Planetocentric
    LongitudeDirection = PositiveEast
    LongitudeDomain = 180
    PixelResolution = {} <meters/pixel>
    UpperLeftCornerX = 1000.0 <meters>
    UpperLeftCornerY = 2000.0 <meters>
  End_Group
End_Object
End
)",
                                kLabel + 1, nx, ny, pixel);
  out.resize(kLabel, '\0');
  for (const double value : values) put(out, static_cast<float>(value));
  return out;
}

std::string pds_image(int nx, int ny, double pixel, const std::vector<int>& values,
                      int label_records) {
  const int record = 2 * nx;
  std::string out = fmt::format(R"(PDS_VERSION_ID = PDS3
RECORD_TYPE = FIXED_LENGTH
RECORD_BYTES = {0}
FILE_RECORDS = {1}
LABEL_RECORDS = {2}
^IMAGE = {3}
OBJECT = IMAGE
  LINES = {4}
  LINE_SAMPLES = {5}
  SAMPLE_TYPE = MSB_INTEGER
  SAMPLE_BITS = 16
  OFFSET = 100.0
  SCALING_FACTOR = 0.5
END_OBJECT = IMAGE
OBJECT = IMAGE_MAP_PROJECTION
  MAP_PROJECTION_TYPE = "SIMPLE CYLINDRICAL"
  A_AXIS_RADIUS = 3396.0 <KM>
  B_AXIS_RADIUS = 3396.0 <KM>
  C_AXIS_RADIUS = 3396.0 <KM>
  CENTER_LATITUDE = 0.0
  CENTER_LONGITUDE = 0.0
  MAP_SCALE = {6} <KM/PIXEL>
  LINE_PROJECTION_OFFSET = 10.0
  SAMPLE_PROJECTION_OFFSET = 10.0
END_OBJECT = IMAGE_MAP_PROJECTION
END
)",
                                record, label_records + ny, label_records, label_records + 1, ny,
                                nx, pixel / 1000);
  const std::size_t label =
      static_cast<std::size_t>(record) * static_cast<std::size_t>(label_records);
  if (out.size() < label) out.resize(label, ' ');
  for (const int value : values) put_big_endian(out, static_cast<std::int16_t>(value));
  return out;
}

}  // namespace grouser::internal
