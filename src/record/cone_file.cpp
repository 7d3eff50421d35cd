#include "record/cone_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/error.h"
#include "record/cone_assembly.h"
#include "record/hdf5_file.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;

/// A vector that may hold no more numbers than a file of this size can (compressed or not).
std::vector<double> numbers(hid_t file, const std::string& path, std::uintmax_t file_size) {
  const h5::Handle dataset = h5::open_dataset(file, path.c_str());
  std::uintmax_t count = 1;
  for (const hsize_t extent : h5::shape(dataset.get())) {
    if (extent > file_size * 64) throw h5::Failure(path + " claims to be larger than the file");
    count *= std::max<hsize_t>(extent, 1);
  }
  if (count > file_size * 64) throw h5::Failure(path + " claims to be larger than the file");
  return h5::read_vector(file, path.c_str());
}

/// Whole numbers in [low, high].
std::vector<int> integers(hid_t file, const std::string& path, std::uintmax_t file_size, int low,
                          int high) {
  std::vector<int> result;
  for (const double value : numbers(file, path, file_size)) {
    if (!(value >= low && value <= high) || value != std::floor(value)) {
      throw h5::Failure(
          fmt::format("{} holds {}, which is not one of {} ... {}", path, value, low, high));
    }
    result.push_back(static_cast<int>(value));
  }
  return result;
}

int integer(hid_t file, const std::string& path, std::uintmax_t file_size, int low, int high) {
  const std::vector<int> all = integers(file, path, file_size, low, high);
  if (all.size() != 1) throw h5::Failure(path + " is not one number");
  return all.front();
}

void expect_size(const std::string& path, std::size_t size, std::size_t least) {
  if (size < least)
    throw h5::Failure(fmt::format("{} holds {} numbers, not {}", path, size, least));
}

/// W of the file; nz >= 0: that many triplets, -1: compressed columns, -2: compressed rows.
std::vector<ConeEntry> read_entries(hid_t file, int rows, std::uintmax_t file_size) {
  const std::string group = "/fclib_local/W/";
  constexpr int kMost = 1 << 30;
  for (const char* name : {"m", "n"}) {
    if (integer(file, group + name, file_size, 0, kMost) != rows) {
      throw h5::Failure(fmt::format("{}{} is not {}, three for each contact", group, name, rows));
    }
  }
  const int nz = integer(file, group + "nz", file_size, -2, kMost);
  const std::vector<double> x = numbers(file, group + "x", file_size);
  const std::size_t most = x.size();
  const std::vector<int> i = integers(file, group + "i", file_size, 0, std::max(rows - 1, 0));
  std::vector<ConeEntry> entries;
  if (nz >= 0) {
    const std::vector<int> p = integers(file, group + "p", file_size, 0, std::max(rows - 1, 0));
    for (const auto& [name, size] : {std::pair("p", p.size()), {"i", i.size()}, {"x", most}}) {
      expect_size(group + name, size, static_cast<std::size_t>(nz));
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k) {
      entries.push_back({i[k], p[k], x[k]});
    }
    return entries;
  }
  const std::vector<int> p = integers(file, group + "p", file_size, 0, static_cast<int>(most));
  expect_size(group + "p", p.size(), static_cast<std::size_t>(rows) + 1);
  expect_size(group + "i", i.size(),
              static_cast<std::size_t>(*std::max_element(p.begin(), p.end())));
  for (int line = 0; line < rows; ++line) {
    for (int k = p[static_cast<std::size_t>(line)]; k < p[static_cast<std::size_t>(line) + 1];
         ++k) {
      const int other = i[static_cast<std::size_t>(k)];
      const double value = x[static_cast<std::size_t>(k)];
      entries.push_back(nz == -1 ? ConeEntry{other, line, value} : ConeEntry{line, other, value});
    }
  }
  return entries;
}

ConeFile read_fclib(const std::string& path) {
  if (!fs::exists(path)) throw Error(ErrorKind::io, {.message = "does not exist", .file = path});
  const h5::Session session;
  return h5::read_from(path, [&] {
    const std::uintmax_t size = fs::file_size(path);
    const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                          "is not HDF5");
    if (!h5::exists(file.get(), "/fclib_local")) {
      throw h5::Failure("has no group /fclib_local; only local problems can be read");
    }
    if (h5::exists(file.get(), "/fclib_local/V")) {
      throw h5::Failure(
          "has bilateral constraints (/fclib_local/V), which must be eliminated first");
    }
    integer(file.get(), "/fclib_local/spacedim", size, 3, 3);
    const std::vector<double> mu = numbers(file.get(), "/fclib_local/vectors/mu", size);
    std::vector<double> q = numbers(file.get(), "/fclib_local/vectors/q", size);
    if (q.size() != 3 * mu.size()) {
      throw h5::Failure(
          fmt::format("/fclib_local/vectors/q holds {} numbers, not {}", q.size(), 3 * mu.size()));
    }
    auto entries = read_entries(file.get(), static_cast<int>(q.size()), size);
    return assemble_cone_problem(mu, std::move(q), std::move(entries), path);
  });
}

/// W by compressed columns, which for a symmetric matrix are its rows.
void write_matrix(hid_t file, const ConeMatrix& W) {
  std::vector<int> start(1, 0), column;
  std::vector<double> value;
  for (int i = 0; i < W.size; ++i) {
    for (int j = 0; j < W.size; ++j) {
      if (!W.is_dense()) break;
      if (W(i, j) == 0) continue;
      column.push_back(j);
      value.push_back(W(i, j));
    }
    start.push_back(static_cast<int>(column.size()));
  }
  const std::vector<int>& p = W.is_dense() ? start : W.start;
  const std::vector<int>& i = W.is_dense() ? column : W.column;
  const std::vector<double>& x = W.is_dense() ? value : W.value;
  const auto write_one = [file](const char* path, int number) {
    h5::write_integers(file, path, std::span(&number, 1));
  };
  write_one("/fclib_local/W/m", W.size);
  write_one("/fclib_local/W/n", W.size);
  write_one("/fclib_local/W/nz", -1);
  write_one("/fclib_local/W/nzmax", static_cast<int>(x.size()));
  h5::write_integers(file, "/fclib_local/W/p", p);
  h5::write_integers(file, "/fclib_local/W/i", i);
  h5::write_vector(file, "/fclib_local/W/x", x);
}

}  // namespace

ConeFile read_cone_problem(const fs::path& path) {
  if (path.extension() == ".fc3d") return read_cone_text(path.string());
  if (path.extension() == ".hdf5" || path.extension() == ".h5") return read_fclib(path.string());
  throw Error(ErrorKind::input, {.message = "is not named as a cone problem",
                                 .file = path.string(),
                                 .value = path.extension().string(),
                                 .legal = ".fc3d, .hdf5 or .h5"});
}

void write_cone_problem(const fs::path& path, const ConeProblem& problem) {
  validate(problem);
  std::vector<double> mu;
  for (const ConeBlock& block : problem.blocks) {
    if (block.kind != BlockKind::cone) {
      throw Error(ErrorKind::input, {.message = "FCLIB files hold contacts only, no other blocks",
                                     .file = path.string()});
    }
    mu.push_back(block.mu);
  }
  const h5::Session session;
  try {
    const h5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose, "cannot be created");
    const int dimension = 3;
    h5::write_integers(file.get(), "/fclib_local/spacedim", std::span(&dimension, 1));
    write_matrix(file.get(), problem.W);
    h5::write_vector(file.get(), "/fclib_local/vectors/mu", mu);
    h5::write_vector(file.get(), "/fclib_local/vectors/q", problem.q);
    h5::write_text(file.get(), "/fclib_local/info/title", "written by grouser");
  } catch (const h5::Failure& failure) {
    throw Error(ErrorKind::io, {.message = failure.what(), .file = path.string()});
  }
}

}  // namespace grouser::internal
