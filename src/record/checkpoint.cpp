#include "record/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include "core/disk.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/version.h"
#include "record/hdf5_file.h"
#include "record/input_state_file.h"
#include "sim/evaluate.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormatName = "grouser-checkpoint";
constexpr std::int64_t kVersion = 2;
constexpr const char* kInMemory = "bytes of a checkpoint";  // in messages

// Stands behind the HDF5 part of the file and vouches for every bit of it: HDF5 itself neither
// checks numbers nor is safe on damaged files. Other readers of HDF5 ignore it.
struct Trailer {
  std::array<char, 8> magic = {'G', 'R', 'S', 'R', 'C', 'K', 'P', 'T'};
  std::uint64_t size = 0;    // bytes before the trailer
  std::uint64_t digest = 0;  // Hasher of them

  bool operator==(const Trailer&) const = default;
};
static_assert(sizeof(Trailer) == 24);

[[noreturn]] void refuse(const fs::path& path, std::string message) {
  throw Error(ErrorKind::input, {.message = std::move(message), .file = path.string()});
}

// What must agree between a state and a world, as words to compare and to show.
struct Layout {
  std::vector<std::string> joints;    // "joint: type, body NAME"
  std::vector<std::string> elements;  // "actuator NAME", "path of rover NAME", ...

  bool operator==(const Layout&) const = default;
};

Layout layout_of(const World& world) {
  const Model& model = world.model;
  Layout layout;
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    layout.joints.push_back(fmt::format("{} joint {} of body {}", to_string(model.joints()[i].type),
                                        body.joint_name, body.name));
  }
  for (const auto& a : model.actuators()) layout.elements.push_back("actuator " + a.name);
  for (const auto& l : model.loops()) layout.elements.push_back("loop " + l.name);
  for (const auto& s : model.springs()) layout.elements.push_back("spring " + s.name);
  for (const auto& t : model.tethers()) layout.elements.push_back("tether " + t.name);
  for (const auto& r : world.rovers) {
    for (const auto& w : r.wheels) layout.elements.push_back("wheel " + w.name);
  }
  for (const auto& system : world.contacts) {
    for (const ContactPiece& piece : system->pieces()) {
      layout.elements.push_back(
          piece.body < 0 ? piece.what
                         : fmt::format("{} of body {}", piece.what,
                                       model.bodies()[static_cast<std::size_t>(piece.body)].name));
    }
  }
  return layout;
}

// Adds the first difference of two lists.
void compare(IssueList& issues, const fs::path& path, const std::vector<std::string>& stored,
             const std::vector<std::string>& present) {
  const auto [a, b] = std::mismatch(stored.begin(), stored.end(), present.begin(), present.end());
  if (a == stored.end() && b == present.end()) return;
  issues.add({.message = "the checkpoint is of another model",
              .file = path.string(),
              .value = a == stored.end() ? "nothing" : *a,
              .legal = b == present.end() ? "nothing" : *b});
}

void compare(IssueList& issues, const fs::path& path, const char* what, std::size_t stored,
             std::size_t present) {
  if (stored == present) return;
  issues.add({.message = fmt::format("the checkpoint is of another model: number of {}", what),
              .file = path.string(),
              .value = std::to_string(stored),
              .legal = std::to_string(present)});
}

std::span<const double> view(const VecX& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

VecX to_vector(const std::vector<double>& values) {
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> settings_of(const IntegratorOptions& o) {
  return {static_cast<double>(o.method),
          o.step,
          o.relative_tolerance,
          o.absolute_tolerance,
          o.max_step,
          static_cast<double>(o.max_steps),
          o.theta,
          o.impulse_tolerance,
          o.margin};
}

IntegratorOptions integrator_of(const std::vector<double>& settings) {
  const auto last = static_cast<double>(IntegrationMethod::moreau_jean);
  if (settings.size() != 9 || !(settings[0] >= 0 && settings[0] <= last)) {
    throw h5::Failure("it has no integrator settings");
  }
  return {.method = static_cast<IntegrationMethod>(static_cast<int>(settings[0])),
          .step = settings[1],
          .relative_tolerance = settings[2],
          .absolute_tolerance = settings[3],
          .max_step = settings[4],
          .max_steps = static_cast<long>(settings[5]),
          .theta = settings[6],
          .impulse_tolerance = settings[7],
          .margin = settings[8]};
}

std::string contact_path(const ContactSystem& system) {
  return fmt::format("/state/contacts/{}", system.name());
}

ContactMemory read_contacts(hid_t file, const ContactSystem& system) {
  try {
    return system.load(h5::read_vector(file, contact_path(system).c_str()));
  } catch (const DamagedMemory& damage) {
    throw h5::Failure(
        fmt::format("its contacts by '{}' do not fit: {}", system.name(), damage.what()));
  }
}

void write_content(hid_t file, const World& world, const State& state) {
  const Layout layout = layout_of(world);
  h5::set_attribute(file, "format", std::string(kFormatName));
  h5::set_attribute(file, "format_version", kVersion);
  h5::set_attribute(file, "grouser_version", std::string(version()));
  h5::set_attribute(file, "state_hash", hash_text(hash(state)));
  h5::write_text(file, "/scene/name", world.name);
  h5::write_text(file, "/scene/file", world.scene_file);
  h5::write_text(file, "/scene/text", world.scene_text);
  h5::write_vector(file, "/settings/integrator", settings_of(world.settings.integrator));
  h5::set_attribute(file, "seed", std::bit_cast<std::int64_t>(world.settings.seed));
  h5::write_texts(file, "/layout/joints", layout.joints);
  h5::write_texts(file, "/layout/elements", layout.elements);
  h5::write_vector(file, "/state/time", std::span(&state.time, 1));
  h5::write_vector(file, "/state/q", view(state.q));
  h5::write_vector(file, "/state/v", view(state.v));
  h5::write_vector(file, "/state/memory", state.memory);
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    const ContactSystem& system = *world.contacts[s];
    h5::write_vector(file, contact_path(system).c_str(), system.save(state.contacts[s]));
  }
  write_inputs(file, state.inputs);
  write_watch(file, state.watch);
}

// The bytes of an HDF5 file that is made in memory.
std::vector<std::byte> file_image(const World& world, const State& state) {
  const h5::Handle access = h5::access_properties();
  // The newer formats have a check sum in the header, which H5Fget_file_image() fails to update.
  h5::checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18),
              "no memory file");
  h5::checked(H5Pset_fapl_core(access.get(), std::size_t{64} << 10, false), "no memory file");
  const h5::Handle file(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
                        "no memory file");
  write_content(file.get(), world, state);
  h5::checked(H5Fflush(file.get(), H5F_SCOPE_LOCAL), "cannot flush");
  const auto size = h5::checked(H5Fget_file_image(file.get(), nullptr, 0), "no memory file");
  std::vector<std::byte> image(static_cast<std::size_t>(size));
  h5::checked(H5Fget_file_image(file.get(), image.data(), image.size()), "no memory file");
  return image;
}

std::vector<std::byte> image_for(const fs::path& path, const World& world, const State& state) {
  try {
    return file_image(world, state);
  } catch (const h5::Failure& failure) {
    throw Error(ErrorKind::io, {.message = std::string("cannot be made: ") + failure.what(),
                                .file = path.string()});
  }
}

void compare(const fs::path& path, const Trailer& found, const Trailer& expected) {
  if (found.magic != expected.magic) refuse(path, "is not a checkpoint, or cut short");
  if (found != expected) refuse(path, "is damaged: its content does not match its check sum");
}

// Throws unless the file is complete and unchanged.
void check_trailer(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(ErrorKind::io,
                {.message = "cannot open: " + errno_text(errno), .file = path.string()});
  }
  std::error_code error;
  const auto file_size = fs::file_size(path, error);
  if (error || file_size < sizeof(Trailer)) refuse(path, "is not a checkpoint, or cut short");
  Trailer expected{.size = file_size - sizeof(Trailer)};
  Hasher hasher;
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t left = expected.size; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    if (!file.read(block.data(), static_cast<std::streamsize>(count))) {
      throw Error(ErrorKind::io, {.message = "cannot read", .file = path.string()});
    }
    hasher.bytes(std::as_bytes(std::span(block).first(count)));
    left -= count;
  }
  expected.digest = hasher.digest();
  std::array<char, sizeof(Trailer)> bytes{};
  file.read(bytes.data(), bytes.size());
  compare(path, std::bit_cast<Trailer>(bytes), expected);
}

Trailer trailer_of(std::span<const std::byte> content) {
  Hasher hasher;
  hasher.bytes(content);
  return {.size = content.size(), .digest = hasher.digest()};
}

// The same for bytes in memory. Returns what stands before the trailer.
std::span<const std::byte> checked_content(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Trailer)) refuse(kInMemory, "are no checkpoint, or cut short");
  const auto content = bytes.first(bytes.size() - sizeof(Trailer));
  std::array<std::byte, sizeof(Trailer)> trailer{};
  std::ranges::copy(bytes.last(sizeof(Trailer)), trailer.begin());
  compare(kInMemory, std::bit_cast<Trailer>(trailer), trailer_of(content));
  return content;
}

// A file, or the bytes of one: `image`, if that is not empty.
h5::Handle open_checkpoint(const fs::path& path, std::span<const std::byte> image = {}) {
  const h5::Handle access = h5::access_properties();
  std::vector<std::byte> copy(image.begin(), image.end());  // HDF5 copies it again
  if (!copy.empty()) {
    h5::checked(H5Pset_fapl_core(access.get(), std::size_t{64} << 10, false), "no memory file");
    h5::checked(H5Pset_file_image(access.get(), copy.data(), copy.size()), "no memory file");
  }
  h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose,
                  "it is not an HDF5 file");
  if (!h5::has_attribute(file.get(), "format") ||
      h5::text_attribute(file.get(), "format") != kFormatName) {
    throw h5::Failure("it is not a checkpoint of grouser");
  }
  const auto version = h5::integer_attribute(file.get(), "format_version");
  if (version != kVersion) {
    throw h5::Failure(
        fmt::format("it is of checkpoint format {}, this program reads {}", version, kVersion));
  }
  return file;
}

State read_state(hid_t file) {
  const auto time = h5::read_vector(file, "/state/time");
  if (time.size() != 1) throw h5::Failure("it has no time");
  return {.time = time.front(),
          .q = to_vector(h5::read_vector(file, "/state/q")),
          .v = to_vector(h5::read_vector(file, "/state/v")),
          .memory = h5::read_vector(file, "/state/memory"),
          .contacts = {},
          .inputs = {},
          .watch = read_watch(file)};
}

void check_world(const fs::path& path, hid_t file, const State& state, const World& world) {
  const Layout layout = layout_of(world);
  IssueList issues;
  compare(issues, path, h5::read_texts(file, "/layout/joints"), layout.joints);
  compare(issues, path, h5::read_texts(file, "/layout/elements"), layout.elements);
  compare(issues, path, "positions", view(state.q).size(),
          static_cast<std::size_t>(world.model.position_size()));
  compare(issues, path, "velocities", view(state.v).size(),
          static_cast<std::size_t>(world.model.velocity_size()));
  compare(issues, path, "memory slots (controllers)", state.memory.size(),
          MemoryLayout(world).size);
  issues.throw_if_any();
  if (h5::read_text(file, "/scene/text") != world.scene_text) {
    log(LogLevel::warning,
        path.string() + ": the scene has changed since this checkpoint; resuming with the new one");
  }
}

State state_of(const fs::path& path, hid_t file, const World& world) {
  State state = read_state(file);
  check_world(path, file, state, world);
  for (const auto& system : world.contacts) {
    state.contacts.push_back(read_contacts(file, *system));
  }
  state.inputs = read_inputs(file, world.model);
  return state;
}

}  // namespace

std::vector<std::byte> checkpoint_bytes(const World& world, const State& state) {
  const h5::Session session;
  auto bytes = image_for(kInMemory, world, state);
  const Trailer trailer = trailer_of(bytes);
  const auto end = std::as_bytes(std::span(&trailer, 1));
  bytes.insert(bytes.end(), end.begin(), end.end());
  return bytes;
}

void save_checkpoint(const fs::path& path, const World& world, const State& state) {
  const h5::Session session;
  const auto image = image_for(path, world, state);
  const Trailer trailer = trailer_of(image);
  AtomicFile file(path);
  file.write(image);
  file.write(std::as_bytes(std::span(&trailer, 1)));
  file.commit();
}

State load_checkpoint(const fs::path& path, const World& world) {
  check_trailer(path);
  const h5::Session session;
  return h5::read_from(path.string(),
                       [&] { return state_of(path, open_checkpoint(path).get(), world); });
}

State state_from_bytes(std::span<const std::byte> bytes, const World& world) {
  const auto content = checked_content(bytes);
  const h5::Session session;
  return h5::read_from(kInMemory, [&] {
    return state_of(kInMemory, open_checkpoint(kInMemory, content).get(), world);
  });
}

CheckpointScene read_checkpoint_scene(const fs::path& path) {
  check_trailer(path);
  const h5::Session session;
  return h5::read_from(path.string(), [&] {
    const h5::Handle file = open_checkpoint(path);
    return CheckpointScene{
        .name = h5::read_text(file.get(), "/scene/name"),
        .file = h5::read_text(file.get(), "/scene/file"),
        .text = h5::read_text(file.get(), "/scene/text"),
        .time = read_state(file.get()).time,
        .integrator = integrator_of(h5::read_vector(file.get(), "/settings/integrator")),
        .seed = std::bit_cast<std::uint64_t>(h5::integer_attribute(file.get(), "seed"))};
  });
}

}  // namespace grouser::internal
