#include "record/hdf5_file.h"

#include <algorithm>
#include <string_view>

namespace grouser::internal::h5 {
namespace {

std::recursive_mutex& mutex() {
  static std::recursive_mutex instance;
  return instance;
}

herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

std::string innermost_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text);
  return text;
}

constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;  // of a list; more is taken for damage

// Texts side by side in slots of one length.
struct PaddedTexts {
  std::size_t slot = 1;  // bytes
  std::vector<char> bytes;

  explicit PaddedTexts(std::span<const std::string> texts) {
    for (const std::string& text : texts) slot = std::max(slot, text.size());
    bytes.assign(std::max<std::size_t>(texts.size(), 1) * slot, '\0');
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::copy(texts[i].begin(), texts[i].end(),
                bytes.begin() + static_cast<std::ptrdiff_t>(i * slot));
    }
  }
};

// Reads texts with `read`(type, bytes) from something of the given stored type.
template <class Read>
std::vector<std::string> split_texts(hid_t stored, std::size_t count, const char* name,
                                     const Read& read) {
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) != 0) {
    throw Failure(std::string(name) + " does not hold text");
  }
  const std::size_t slot = H5Tget_size(stored);
  if (slot == 0 || count > kMostTextBytes / slot) throw Failure(std::string(name) + " is damaged");
  std::vector<char> bytes(count * slot);
  if (!bytes.empty()) checked(read(text_type(slot).get(), bytes.data()), name);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view padded(bytes.data() + i * slot, slot);
    texts.emplace_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
  }
  return texts;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "no data space"}; }

Handle vector_space(std::size_t size) {
  const hsize_t extent = size;
  return {H5Screate_simple(1, &extent, nullptr), H5Sclose, "no data space"};
}

void write_dataset(hid_t file, const char* path, hid_t type, hid_t space, const void* data) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "no link properties");
  checked(H5Pset_create_intermediate_group(links.get(), 1), "no link properties");
  const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "no dataset properties");
  checked(H5Pset_obj_track_times(options.get(), false), "no dataset properties");
  const Handle dataset(H5Dcreate2(file, path, type, space, links.get(), options.get(), H5P_DEFAULT),
                       H5Dclose, path);
  if (data) checked(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path);
}

void write_attribute(hid_t object, const char* name, hid_t type, hid_t space, const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         name);
  checked(H5Awrite(attribute.get(), type, data), name);
}

Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, name};
}

std::size_t count(hid_t space) {
  return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space), "bad extent"));
}

template <class Number>
Number scalar_attribute(hid_t object, const char* name, hid_t type) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, name);
  if (count(space.get()) != 1) throw Failure(std::string(name) + " is not one number");
  Number value = 0;
  checked(H5Aread(attribute.get(), type, &value), name);
  return value;
}

}  // namespace

Session::Session() : lock_(mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

hid_t checked(hid_t result, const char* what) {
  if (result >= 0) return result;
  const std::string reason = innermost_error();
  throw Failure(std::string(what) + (reason.empty() ? "" : " (HDF5: " + reason + ")"));
}

Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no file properties");
  checked(H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
          "no file properties");
  checked(H5Pset_file_locking(properties.get(), false, true), "no file properties");
  checked(H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG), "no file properties");
  return properties;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "no text type");
  checked(H5Tset_size(type.get(), std::max<std::size_t>(size, 1)), "no text type");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "no text type");
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "no text type");
  return type;
}

void write_texts(hid_t file, const char* path, std::span<const std::string> texts) {
  const PaddedTexts padded(texts);
  write_dataset(file, path, text_type(padded.slot).get(), vector_space(texts.size()).get(),
                texts.empty() ? nullptr : padded.bytes.data());
}

void write_text(hid_t file, const char* path, const std::string& text) {
  const PaddedTexts padded(std::span(&text, 1));
  write_dataset(file, path, text_type(padded.slot).get(), scalar_space().get(),
                padded.bytes.data());
}

std::vector<std::string> read_texts(hid_t file, const char* path) {
  const Handle dataset = open_dataset(file, path);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, path);
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose, path);
  return split_texts(stored.get(), count(space.get()), path, [&](hid_t type, char* bytes) {
    return H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  });
}

std::string read_text(hid_t file, const char* path) {
  const auto texts = read_texts(file, path);
  if (texts.size() != 1) throw Failure(std::string(path) + " is not one text");
  return texts.front();
}

bool exists(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1); true; end = path.find('/', end + 1)) {
    if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Handle open_dataset(hid_t file, const char* path) {
  return {H5Dopen2(file, path, H5P_DEFAULT), H5Dclose, path};
}

std::vector<hsize_t> shape(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "bad dataset");
  const auto rank = checked(H5Sget_simple_extent_ndims(space.get()), "bad dataset");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  checked(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), "bad dataset");
  return extents;
}

void write_vector(hid_t file, const char* path, std::span<const double> values) {
  write_dataset(file, path, H5T_NATIVE_DOUBLE, vector_space(values.size()).get(),
                values.empty() ? nullptr : values.data());
}

void write_integers(hid_t file, const char* path, std::span<const int> values) {
  write_dataset(file, path, H5T_NATIVE_INT, vector_space(values.size()).get(),
                values.empty() ? nullptr : values.data());
}

std::vector<double> read_vector(hid_t file, const char* path) {
  const Handle dataset = open_dataset(file, path);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, path);
  std::vector<double> values(count(space.get()));
  if (!values.empty()) {
    checked(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            path);
  }
  return values;
}

void set_attribute(hid_t object, const char* name, const std::string& text) {
  const PaddedTexts padded(std::span(&text, 1));
  write_attribute(object, name, text_type(padded.slot).get(), scalar_space().get(),
                  padded.bytes.data());
}

void set_attribute(hid_t object, const char* name, std::span<const std::string> texts) {
  const PaddedTexts padded(texts);
  write_attribute(object, name, text_type(padded.slot).get(), vector_space(texts.size()).get(),
                  padded.bytes.data());
}

void set_attribute(hid_t object, const char* name, std::span<const double> values) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, vector_space(values.size()).get(),
                  values.data());
}

void set_attribute(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, scalar_space().get(), &value);
}

void set_attribute(hid_t object, const char* name, std::int64_t value) {
  write_attribute(object, name, H5T_NATIVE_INT64, scalar_space().get(), &value);
}

void set_attribute(hid_t object, const char* name, std::uint64_t value) {
  write_attribute(object, name, H5T_NATIVE_UINT64, scalar_space().get(), &value);
}

bool has_attribute(hid_t object, const char* name) {
  return checked(H5Aexists(object, name), name) > 0;
}

std::vector<std::string> texts_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, name);
  const Handle stored(H5Aget_type(attribute.get()), H5Tclose, name);
  return split_texts(stored.get(), count(space.get()), name, [&](hid_t type, char* bytes) {
    return H5Aread(attribute.get(), type, bytes);
  });
}

std::string text_attribute(hid_t object, const char* name) {
  const auto texts = texts_attribute(object, name);
  if (texts.size() != 1) throw Failure(std::string(name) + " is not one text");
  return texts.front();
}

std::vector<double> numbers_attribute(hid_t object, const char* name) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, name);
  std::vector<double> values(count(space.get()));
  checked(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

double number_attribute(hid_t object, const char* name) {
  return scalar_attribute<double>(object, name, H5T_NATIVE_DOUBLE);
}

std::int64_t integer_attribute(hid_t object, const char* name) {
  return scalar_attribute<std::int64_t>(object, name, H5T_NATIVE_INT64);
}

std::uint64_t unsigned_attribute(hid_t object, const char* name) {
  return scalar_attribute<std::uint64_t>(object, name, H5T_NATIVE_UINT64);
}

}  // namespace grouser::internal::h5
