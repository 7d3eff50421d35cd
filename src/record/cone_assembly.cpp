#include "record/cone_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include "core/error.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

[[noreturn]] void refuse(const std::string& file, std::string message, int line = 0) {
  throw Error(ErrorKind::input, {.message = std::move(message), .file = file, .line = line});
}

void sort_and_add_up(std::vector<ConeEntry>& entries) {
  const auto before = [](const ConeEntry& a, const ConeEntry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  };
  std::stable_sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (const ConeEntry& entry : entries) {
    ConeEntry* last = kept > 0 ? &entries[kept - 1] : nullptr;
    if (last && last->row == entry.row && last->column == entry.column) {
      last->value += entry.value;
    } else {
      entries[kept++] = entry;
    }
  }
  entries.resize(kept);
}

/// Words of the text with the line they are in.
class Words {
 public:
  explicit Words(const std::string& file) : file_(file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(ErrorKind::io, {.message = "cannot be opened", .file = file});
    text_.assign(std::istreambuf_iterator<char>(stream), {});
    at_ = text_.data();
  }

  /// The next number; `what` is for the message if there is none.
  template <class Number>
  Number next(const char* what) {
    const char* const end = text_.data() + text_.size();
    skip_blanks();
    if (at_ == end) refuse(file_, fmt::format("ends where {} is expected", what), line_);
    Number value{};
    const auto [stop, error] = std::from_chars(at_, end, value);
    if (error != std::errc() || (stop != end && !is_blank(*stop))) {
      const char* word = at_;
      while (at_ != end && !is_blank(*at_)) ++at_;
      refuse(file_, fmt::format("'{}' is not {}", std::string(word, at_), what), line_);
    }
    at_ = stop;
    return value;
  }
  /// A whole number in [0, end).
  int index(const char* what, int end) {
    const long long value = next<long long>(what);
    if (value < 0 || value >= end) {
      throw Error(ErrorKind::input, {.message = fmt::format("{} is out of range", what),
                                     .file = file_,
                                     .line = line_,
                                     .value = fmt::format("{}", value),
                                     .legal = fmt::format("0 ... {}", end - 1)});
    }
    return static_cast<int>(value);
  }
  void expect_end() {
    skip_blanks();
    if (at_ != text_.data() + text_.size())
      refuse(file_, "goes on after the last entry of W", line_);
  }
  std::size_t size() const { return text_.size(); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  void skip_blanks() {
    for (; at_ != text_.data() + text_.size() && is_blank(*at_); ++at_) line_ += *at_ == '\n';
  }

  std::string file_, text_;
  const char* at_ = nullptr;
  int line_ = 1;
};

}  // namespace

ConeFile assemble_cone_problem(const std::vector<double>& mu, std::vector<double> q,
                               std::vector<ConeEntry> entries, const std::string& file) {
  ConeFile result;
  ConeProblem& problem = result.problem;
  for (const double coefficient : mu) problem.add_cone(coefficient);
  problem.q = std::move(q);
  double largest = 0;
  const std::size_t given = entries.size();
  for (std::size_t k = 0; k < given; ++k) largest = std::max(largest, std::abs(entries[k].value));
  // Each entry goes to both triangles by half; the difference of the halves is the asymmetry.
  sort_and_add_up(entries);
  std::vector<ConeEntry> transposed = entries;
  for (ConeEntry& entry : transposed) std::swap(entry.row, entry.column);
  std::vector<ConeEntry> difference = entries;
  for (ConeEntry entry : transposed) {
    entry.value = -entry.value;
    difference.push_back(entry);
  }
  sort_and_add_up(difference);
  for (const ConeEntry& entry : difference) {
    result.asymmetry = std::max(result.asymmetry, std::abs(entry.value));
  }
  if (largest > 0) result.asymmetry /= largest;
  entries.insert(entries.end(), transposed.begin(), transposed.end());
  for (ConeEntry& entry : entries) entry.value *= 0.5;
  sort_and_add_up(entries);
  ConeMatrix& W = problem.W;
  W.size = static_cast<int>(3 * mu.size());
  W.start.assign(3 * mu.size() + 1, 0);
  for (const ConeEntry& entry : entries) {
    ++W.start[static_cast<std::size_t>(entry.row) + 1];
    W.column.push_back(entry.column);
    W.value.push_back(entry.value);
  }
  for (std::size_t i = 1; i < W.start.size(); ++i) W.start[i] += W.start[i - 1];
  try {
    validate(problem);
  } catch (const Error& error) {
    Issue issue = error.issues().front();
    issue.file = file;
    throw Error(error.kind(), issue);
  }
  return result;
}

ConeFile read_cone_text(const std::string& file) {
  Words words(file);
  // A number and what parts it from the next take two bytes, an entry six.
  const int contacts =
      words.index("the number of contacts", static_cast<int>(words.size() / 8 + 2));
  const int count = words.index("the number of entries", static_cast<int>(words.size() / 6 + 2));
  std::vector<double> mu(static_cast<std::size_t>(contacts)), q(3 * mu.size());
  for (double& value : mu) value = words.next<double>("a coefficient of friction");
  for (double& value : q) value = words.next<double>("a velocity");
  std::vector<ConeEntry> entries;
  for (int k = 0; k < count; ++k) {
    const int row = words.index("a row", 3 * contacts),
              column = words.index("a column", 3 * contacts);
    entries.push_back({row, column, words.next<double>("an entry of W")});
  }
  words.expect_end();
  return assemble_cone_problem(mu, std::move(q), std::move(entries), file);
}

}  // namespace grouser::internal
