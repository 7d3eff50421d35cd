#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/figure.h"

namespace grouser::internal {

/// One number of a paper or a closed form beside ours.
struct ReproductionRow {
  std::string quantity;
  std::string unit;
  std::optional<double> paper;     ///< as printed; empty where the reference is analytic
  std::optional<double> expected;  ///< analytic value where there is no paper
  double ours = 0;
  double tolerance = 0;  ///< absolute, in the unit

  bool pass() const;
};

/// A row whose reference is analytic.
ReproductionRow analytic_row(std::string quantity, std::string unit, double expected, double ours,
                             double tolerance);

/// A table or figure that can be run again.
struct Reproduction {
  std::string id;     ///< "group/name"
  std::string title;  ///< one line, with the source
  std::vector<ReproductionRow> (*run)();
  Figure (*figure)() = nullptr;  ///< what it looks like, if anybody drew it
};

/// All there are, in order.
const std::vector<Reproduction>& reproductions();

/// Those whose id matches the pattern, where * stands for anything.
std::vector<const Reproduction*> find_reproductions(const std::string& pattern);

/// {"id", "pass", "rows": [{"quantity", "unit", "paper", "expected", "ours", "tolerance", "pass"}]}
nlohmann::ordered_json reproduction_json(const Reproduction& reproduction,
                                         const std::vector<ReproductionRow>& rows);

}  // namespace grouser::internal
