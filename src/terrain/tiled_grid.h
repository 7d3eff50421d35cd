#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "terrain/copy_on_write.h"

namespace grouser::internal {

/// Values at the nodes of a large regular grid, of which few differ from T{}: kept in square tiles
/// that are made when first written. A copy shares all tiles; a tile is copied when one side writes
/// to it. Looking up is two array reads; tiles are visited in order of their position, never of
/// their making.
///
/// For loops over many nodes take a tile's pointer once and walk its rows: node (i, j) is entry (i
/// % Side) + Side (j % Side) of tile (i / Side, j / Side). Pointers to write through hold until the
/// grid is copied. Making tiles writable is for one thread; several may then write to distinct
/// tiles.
///
/// T is copied freely and has ==. For hash() it is a number, or has a member hash(Hasher&) const.
template <class T, int Side = 64>
class TiledGrid {
 public:
  static constexpr int kSide = Side;  ///< nodes along the side of a tile
  static constexpr int kTileSize = Side * Side;

  TiledGrid() = default;
  TiledGrid(int nx, int ny)
      : nx_(nx),
        ny_(ny),
        pages_x_((tiles_x() + kPageSide - 1) / kPageSide),
        pages_(page_count(nx, ny)) {
    assert(nx >= 0 && ny >= 0);
  }

  /// Entries of the directory of an empty grid, 8 bytes each.
  static std::size_t page_count(int nx, int ny) {
    const auto along = [](int n) {
      return (static_cast<std::size_t>(n) + Side * kPageSide - 1) / (Side * kPageSide);
    };
    return along(nx) * along(ny);
  }

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  int tiles_x() const { return nx_ / Side + (nx_ % Side != 0); }
  int tiles_y() const { return ny_ / Side + (ny_ % Side != 0); }

  /// The values of a tile, row by row; null if nothing was written there: all T{}.
  const T* tile_at(int ti, int tj) const {
    assert(ti >= 0 && ti < tiles_x() && tj >= 0 && tj < tiles_y());
    const Page* page = pages_[page_index(ti, tj)].get();
    if (!page) return nullptr;
    const Tile* tile = (*page)[slot(ti, tj)].get();
    return tile ? tile->data() : nullptr;
  }

  /// The same to write through; made if there is none.
  T* writable_tile(int ti, int tj) {
    assert(ti >= 0 && ti < tiles_x() && tj >= 0 && tj < tiles_y());
    return pages_[page_index(ti, tj)].writable()[slot(ti, tj)].writable().data();
  }

  /// Place of a node within its tile.
  static std::size_t entry(int i, int j) {
    constexpr unsigned kRow = Side;
    return static_cast<unsigned>(i) % kRow + static_cast<unsigned>(j) % kRow * kRow;
  }

  T get(int i, int j) const {
    const T* tile = tile_at(i / Side, j / Side);
    return tile ? tile[entry(i, j)] : T{};
  }

  /// Writing what is there already makes and copies no tile.
  void set(int i, int j, const T& value) {
    assert(i < nx_ && j < ny_);
    if (get(i, j) == value) return;
    writable_tile(i / Side, j / Side)[entry(i, j)] = value;
  }

  /// Calls f(ti, tj, const T* values) for every tile that was made, row by row.
  template <class F>
  void for_each_tile(F&& f) const {
    for (int tj = 0; tj < tiles_y(); ++tj) {
      for (int ti = 0; ti < tiles_x(); ++ti) {
        if (!pages_[page_index(ti, tj)].get()) {
          ti |= kPageSide - 1;  // to the end of the page
        } else if (const T* tile = tile_at(ti, tj)) {
          f(ti, tj, tile);
        }
      }
    }
  }

  std::size_t tile_count() const {
    std::size_t count = 0;
    for_each_tile([&](int, int, const T*) { ++count; });
    return count;
  }

  /// Of directory and tiles, whether shared with copies or not.
  std::size_t memory_bytes() const {
    std::size_t pages = 0;
    for (const auto& page : pages_) pages += page.get() != nullptr;
    return pages_.capacity() * sizeof(pages_[0]) + pages * sizeof(Page) +
           tile_count() * sizeof(Tile);
  }

  /// The same for equal grids, whichever way they were written.
  std::uint64_t hash() const {
    Hasher hasher;
    hasher.u64(static_cast<std::uint64_t>(nx_));
    hasher.u64(static_cast<std::uint64_t>(ny_));
    for_each_tile([&](int ti, int tj, const T* tile) {
      if (is_blank(tile)) return;
      hasher.u64(static_cast<std::uint64_t>(ti));
      hasher.u64(static_cast<std::uint64_t>(tj));
      for (int k = 0; k < kTileSize; ++k) hash_value(hasher, tile[k]);
    });
    return hasher.digest();
  }

  /// By content; what both share is not looked at.
  friend bool operator==(const TiledGrid& a, const TiledGrid& b) {
    return a.nx_ == b.nx_ && a.ny_ == b.ny_ && a.covers(b) && b.covers(a);
  }

 private:
  static constexpr int kPageSide = 32;  // tiles along the side of a page of the directory
  using Tile = std::array<T, kTileSize>;
  using Page = std::array<CopyOnWrite<Tile>, kPageSide * kPageSide>;

  // Unsigned, so that a division by a power of two is a shift.
  static constexpr unsigned kPage = kPageSide;
  std::size_t page_index(int ti, int tj) const {
    const std::size_t row = static_cast<unsigned>(tj) / kPage;
    return static_cast<unsigned>(ti) / kPage + row * static_cast<unsigned>(pages_x_);
  }
  static std::size_t slot(int ti, int tj) {
    return static_cast<unsigned>(ti) % kPage + static_cast<unsigned>(tj) % kPage * kPage;
  }

  static bool is_blank(const T* tile) {
    return std::all_of(tile, tile + kTileSize, [](const T& value) { return value == T{}; });
  }

  // Whether every tile made here holds the same as there.
  bool covers(const TiledGrid& other) const {
    bool same = true;
    for_each_tile([&](int ti, int tj, const T* tile) {
      const T* theirs = other.tile_at(ti, tj);
      if (!same || tile == theirs) return;
      same = theirs ? std::equal(tile, tile + kTileSize, theirs) : is_blank(tile);
    });
    return same;
  }

  static void hash_value(Hasher& hasher, const T& value) {
    if constexpr (std::floating_point<T>) {
      hasher.f64(value + 0.0);  // the two zeros are equal
    } else if constexpr (std::integral<T>) {
      hasher.u64(static_cast<std::uint64_t>(value));
    } else {
      value.hash(hasher);
    }
  }

  int nx_ = 0, ny_ = 0;
  int pages_x_ = 0;
  std::vector<CopyOnWrite<Page>> pages_;
};

}  // namespace grouser::internal
