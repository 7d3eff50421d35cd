#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Every row of all reproductions that match passes; there must be one. `misses` are parts of the names of rows
/// that are known to fail: one that passes has to leave the list.
inline void expect_passes(const std::string& pattern, const std::vector<std::string>& misses = {}) {
  const auto found = find_reproductions(pattern);
  ASSERT_FALSE(found.empty()) << pattern;
  for (const Reproduction* reproduction : found) {
    for (const ReproductionRow& row : reproduction->run()) {
      const bool misses_it = std::ranges::any_of(misses, [&](const std::string& part) {
        return row.quantity.find(part) != std::string::npos;
      });
      EXPECT_NE(row.pass(), misses_it)
          << reproduction->id << ": " << row.quantity << ": " << row.ours;
    }
  }
}

}  // namespace grouser::internal
