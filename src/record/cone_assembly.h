#pragma once

#include <string>
#include <vector>

#include "record/cone_file.h"

/// Internal to record: from the numbers of a file to a problem.
namespace grouser::internal {

struct ConeEntry {
  int row = 0, column = 0;
  double value = 0;
};

/// Checks the numbers, adds entries given twice, makes W symmetric. `file` is for messages.
ConeFile assemble_cone_problem(const std::vector<double>& mu, std::vector<double> q,
                               std::vector<ConeEntry> entries, const std::string& file);

/// The text format.
ConeFile read_cone_text(const std::string& file);

}  // namespace grouser::internal
