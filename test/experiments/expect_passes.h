#pragma once

#include <gtest/gtest.h>

#include "experiments/reproduce.h"

namespace grouser {

/// Every row of all reproductions that match passes; there must be one.
inline void expect_passes(const std::string& pattern) {
  const auto found = find_reproductions(pattern);
  ASSERT_FALSE(found.empty()) << pattern;
  for (const Reproduction* reproduction : found) {
    for (const ReproductionRow& row : reproduction->run()) {
      EXPECT_TRUE(row.pass()) << reproduction->id << ": " << row.quantity << ": " << row.ours;
    }
  }
}

}  // namespace grouser
