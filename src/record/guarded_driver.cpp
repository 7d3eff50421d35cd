#include "record/guarded_driver.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <span>

#include "core/disk.h"

namespace grouser::internal::h5 {
namespace {

// Travels in the property list, which copies it bytewise.
struct DriverInfo {
  DiskStatus* status = nullptr;
};

constexpr std::size_t kPage = 4096;  // bytes
using Page = std::array<std::byte, kPage>;

// What HDF5 takes for the file; it owns the first member.
struct GuardedFile {
  H5FD_t base = {};
  int descriptor = -1;
  dev_t device = 0;
  ino_t inode = 0;
  haddr_t end_of_allocated = 0;
  haddr_t end_of_file = 0;  // as HDF5 believes it to be
  DiskStatus* status = nullptr;
  std::map<haddr_t, Page> shadow;  // pages written after the failure, by page number
};

GuardedFile& guarded(H5FD_t* file) { return *reinterpret_cast<GuardedFile*>(file); }
const GuardedFile& guarded(const H5FD_t* file) {
  return *reinterpret_cast<const GuardedFile*>(file);
}

// Zeros stand for what is beyond the end of the file.
bool read_disk(const GuardedFile& file, std::span<std::byte> out, haddr_t address) {
  while (!out.empty()) {
    const ssize_t count =
        pread(file.descriptor, out.data(), out.size(), static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) {
      std::fill(out.begin(), out.end(), std::byte{0});
      return true;
    }
    out = out.subspan(static_cast<std::size_t>(count));
    address += static_cast<haddr_t>(count);
  }
  return true;
}

// Calls visit(page number, offset in the page, part of `bytes`) for each page that it touches.
template <class Byte, class Visit>
void for_each_page(std::span<Byte> bytes, haddr_t address, const Visit& visit) {
  while (!bytes.empty()) {
    const auto offset = static_cast<std::size_t>(address % kPage);
    const std::size_t count = std::min(bytes.size(), kPage - offset);
    visit(address / kPage, offset, bytes.first(count));
    bytes = bytes.subspan(count);
    address += count;
  }
}

void write_shadow(GuardedFile& file, std::span<const std::byte> bytes, haddr_t address) {
  for_each_page(bytes, address, [&file](haddr_t page, std::size_t offset, auto part) {
    const auto [found, is_new] = file.shadow.try_emplace(page);
    if (is_new && !read_disk(file, found->second, page * kPage)) found->second = {};
    std::copy(part.begin(), part.end(),
              found->second.begin() + static_cast<std::ptrdiff_t>(offset));
  });
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t properties, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(properties));
  if (!info) return nullptr;
  int mode = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | O_CLOEXEC;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  auto file = std::make_unique<GuardedFile>();
  file->status = info->status;
  file->descriptor = open(name, mode, 0666);
  struct stat about {};
  if (file->descriptor < 0 || fstat(file->descriptor, &about) != 0) {
    info->status->error = errno;
    if (file->descriptor >= 0) close(file->descriptor);
    return nullptr;
  }
  info->status->error = 0;  // HDF5 tries several modes
  file->device = about.st_dev;
  file->inode = about.st_ino;
  file->end_of_file = static_cast<haddr_t>(about.st_size);
  return &file.release()->base;
}

herr_t close_file(H5FD_t* base) {
  const std::unique_ptr<GuardedFile> file(&guarded(base));
  // Network disks may report a failed write only here.
  if (close(file->descriptor) != 0 && file->status->error == 0) file->status->error = errno;
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const GuardedFile &f = guarded(a), &g = guarded(b);
  if (f.device != g.device) return f.device < g.device ? -1 : 1;
  if (f.inode != g.inode) return f.inode < g.inode ? -1 : 1;
  return 0;
}

herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_allocated(const H5FD_t* base, H5FD_mem_t) { return guarded(base).end_of_allocated; }

herr_t set_end_of_allocated(H5FD_t* base, H5FD_mem_t, haddr_t address) {
  guarded(base).end_of_allocated = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* base, H5FD_mem_t) { return guarded(base).end_of_file; }

herr_t read_block(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                  void* buffer) {
  const GuardedFile& file = guarded(base);
  const std::span out(static_cast<std::byte*>(buffer), size);
  if (!read_disk(file, out, address)) return -1;
  if (file.shadow.empty()) return 0;
  for_each_page(out, address, [&file](haddr_t page, std::size_t offset, auto part) {
    const auto found = file.shadow.find(page);
    if (found == file.shadow.end()) return;
    std::memcpy(part.data(), found->second.data() + offset, part.size());
  });
  return 0;
}

herr_t write_block(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                   const void* buffer) {
  GuardedFile& file = guarded(base);
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  if (file.status->error == 0) file.status->error = write_bytes(file.descriptor, bytes, address);
  if (file.status->error != 0) write_shadow(file, bytes, address);
  file.end_of_file = std::max(file.end_of_file, address + size);
  return 0;
}

// HDF5 cuts or extends the file to what it has allocated.
herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  GuardedFile& file = guarded(base);
  if (file.end_of_file == file.end_of_allocated) return 0;
  if (file.status->error == 0) {
    file.status->error = resize_file(file.descriptor, file.end_of_allocated);
  }
  file.end_of_file = file.end_of_allocated;
  return 0;
}

// The folder is locked instead. But HDF5 marks a file as being written only if its driver can lock.
herr_t lock_file(H5FD_t*, hbool_t) { return 0; }
herr_t unlock_file(H5FD_t*) { return 0; }

const H5FD_class_t kDriverClass = {
    .name = "grouser_guarded",
    .maxaddr = static_cast<haddr_t>(1) << 62,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(DriverInfo),
    .open = open_file,
    .close = close_file,
    .cmp = compare_files,
    .query = query_features,
    .get_eoa = end_of_allocated,
    .set_eoa = set_end_of_allocated,
    .get_eof = end_of_file,
    .read = read_block,
    .write = write_block,
    .truncate = truncate_file,
    .lock = lock_file,
    .unlock = unlock_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

}  // namespace

void set_guarded_driver(hid_t access_properties, DiskStatus& status) {
  static const hid_t driver = H5FDregister(&kDriverClass);
  const DriverInfo info{.status = &status};
  H5Pset_driver(access_properties, driver, &info);
}

}  // namespace grouser::internal::h5
