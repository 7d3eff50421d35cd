#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

/// Internal to record: HDF5's C interface with ownership and errors.
namespace grouser::internal::h5 {

/// A call to HDF5 that failed, with the reasons HDF5 gives. Never leaves record.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Holds HDF5 for one thread, as it is not safe for several. Every public function of record that
/// calls HDF5 begins with one; they nest. Keeps HDF5 from printing its errors from then on, also
/// at the end of the program, when it would complain about damaged files that it had read.
class Session {
 public:
  Session();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Throws Failure if an HDF5 call gave a negative number; else passes it on.
hid_t checked(hid_t result, const char* what);

/// Runs work that reads a file; a Failure becomes an Error(input).
template <class Work>
auto read_from(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const Failure& failure) {
    throw Error(ErrorKind::input,
                {.message = std::string("cannot be read: ") + failure.what(), .file = file});
  }
}

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  /// Throws Failure with `what` if the identifier is not valid.
  Handle(hid_t id, Close close, const char* what) : id_(checked(id, what)), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }

  hid_t get() const { return id_; }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// File access properties: format of HDF5 1.10, no locks on the file.
Handle access_properties();

/// Texts are UTF-8 of fixed length, padded with zeros: those of variable length would be stored
/// without check sums, and HDF5 crashes where they are damaged. Groups on the way are made.
/// UTF-8 of fixed length, padded with zeros [bytes].
Handle text_type(std::size_t size);
void write_texts(hid_t file, const char* path, std::span<const std::string> texts);
void write_text(hid_t file, const char* path, const std::string& text);
std::vector<std::string> read_texts(hid_t file, const char* path);
std::string read_text(hid_t file, const char* path);
bool exists(hid_t file, const std::string& path);

Handle open_dataset(hid_t file, const char* path);
std::vector<hsize_t> shape(hid_t dataset);

/// A contiguous vector of fixed length.
void write_vector(hid_t file, const char* path, std::span<const double> values);
std::vector<double> read_vector(hid_t file, const char* path);
void write_integers(hid_t file, const char* path, std::span<const int> values);

void set_attribute(hid_t object, const char* name, const std::string& text);
void set_attribute(hid_t object, const char* name, std::span<const std::string> texts);
void set_attribute(hid_t object, const char* name, std::span<const double> values);
void set_attribute(hid_t object, const char* name, double value);
void set_attribute(hid_t object, const char* name, std::int64_t value);
void set_attribute(hid_t object, const char* name, std::uint64_t value);
bool has_attribute(hid_t object, const char* name);
std::vector<std::string> texts_attribute(hid_t object, const char* name);
std::string text_attribute(hid_t object, const char* name);
std::vector<double> numbers_attribute(hid_t object, const char* name);
double number_attribute(hid_t object, const char* name);
std::int64_t integer_attribute(hid_t object, const char* name);
std::uint64_t unsigned_attribute(hid_t object, const char* name);

}  // namespace grouser::internal::h5
