#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace grouser::internal {

struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;
};

/// Speeds measured by one `grouser bench ID`.
struct Bench {
  std::string id;
  std::string title;  ///< one line: what is measured, and beside what
  std::vector<BenchRow> (*run)();
  /// The same with the problems in a folder, given by `--problems`; null if it knows no such thing.
  std::vector<BenchRow> (*run_on)(const std::filesystem::path& folder) = nullptr;
};

const std::vector<Bench>& benches();

/// {"id", "rows": [{"name", "value", "unit"}]}
nlohmann::ordered_json bench_json(const Bench& bench, const std::vector<BenchRow>& rows);

/// Wall time of one call of `work` [µs]: the median over batches, each long enough to time well.
/// The first batch warms up and does not count.
double time_us(const std::function<void()>& work);

}  // namespace grouser::internal
