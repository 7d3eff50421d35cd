#include "lab/reproduce.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/text.h"
#include "lab/bbcc_reproductions.h"
#include "lab/hybrid_reproductions.h"
#include "lab/multibody_reproductions.h"
#include "lab/nonsmooth_reproductions.h"
#include "lab/pcm_reproductions.h"
#include "lab/scm_reproductions.h"
#include "lab/wheel_reproductions.h"

namespace grouser::internal {

bool ReproductionRow::pass() const {
  const double reference = paper ? *paper : expected.value_or(std::nan(""));
  return std::abs(ours - reference) <= tolerance;
}

ReproductionRow analytic_row(std::string quantity, std::string unit, double expected, double ours,
                             double tolerance) {
  return {.quantity = std::move(quantity),
          .unit = std::move(unit),
          .expected = expected,
          .ours = ours,
          .tolerance = tolerance};
}

const std::vector<Reproduction>& reproductions() {
  static const std::vector<Reproduction> all = [] {
    std::vector<Reproduction> list = multibody_reproductions();
    std::ranges::copy(bbcc_reproductions(), std::back_inserter(list));
    std::ranges::copy(nonsmooth_reproductions(), std::back_inserter(list));
    std::ranges::copy(hybrid_reproductions(), std::back_inserter(list));
    std::ranges::copy(pcm_reproductions(), std::back_inserter(list));
    std::ranges::copy(scm_reproductions(), std::back_inserter(list));
    std::ranges::copy(wheel_reproductions(), std::back_inserter(list));
    return list;
  }();
  return all;
}

std::vector<const Reproduction*> find_reproductions(const std::string& pattern) {
  std::vector<const Reproduction*> found;
  for (const Reproduction& reproduction : reproductions()) {
    if (matches_pattern(reproduction.id, pattern)) found.push_back(&reproduction);
  }
  return found;
}

nlohmann::ordered_json reproduction_json(const Reproduction& reproduction,
                                         const std::vector<ReproductionRow>& rows) {
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  bool pass = !rows.empty();
  for (const ReproductionRow& row : rows) {
    pass = pass && row.pass();
    nlohmann::ordered_json line;
    line["quantity"] = row.quantity;
    line["unit"] = row.unit;
    line["paper"] = row.paper ? nlohmann::ordered_json(*row.paper) : nullptr;
    if (!row.paper && row.expected) line["expected"] = *row.expected;
    line["ours"] = std::isfinite(row.ours) ? nlohmann::ordered_json(row.ours) : nullptr;
    line["tolerance"] = row.tolerance;
    line["pass"] = row.pass();
    table.push_back(std::move(line));
  }
  return {{"id", reproduction.id}, {"pass", pass}, {"rows", std::move(table)}};
}

}  // namespace grouser::internal
