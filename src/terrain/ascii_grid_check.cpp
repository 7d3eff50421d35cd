#include "terrain/ascii_grid_check.h"

#include <cctype>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/long_task.h"

namespace grouser::internal {
namespace {

// Words of a text file of any size, with their lines.
class WordReader {
 public:
  explicit WordReader(const std::filesystem::path& file)
      : stream_(file, std::ios::binary), buffer_(1 << 16) {}

  // False at the end. A word that is too long to be a number is cut short.
  bool next() {
    int c = get();
    while (is_space(c)) c = get();
    if (c == kEnd) return false;
    word_line_ = line_;
    for (word_.clear(); c != kEnd && !is_space(c); c = get()) {
      if (word_.size() < kMaxWord) word_.push_back(static_cast<char>(c));
    }
    return true;
  }
  const std::string& word() const { return word_; }
  int line() const { return word_line_; }

 private:
  static constexpr int kEnd = -1;
  static constexpr std::size_t kMaxWord = 64;

  static bool is_space(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  int get() {
    if (place_ == size_) {
      stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
      size_ = static_cast<std::size_t>(stream_.gcount());
      place_ = 0;
      if (size_ == 0) return kEnd;
    }
    const char c = buffer_[place_++];
    // Counted when the character after the break is read, so that a word keeps its own line.
    line_ += after_break_;
    after_break_ = c == '\n';
    return static_cast<unsigned char>(c);
  }

  std::ifstream stream_;
  std::vector<char> buffer_;
  std::size_t place_ = 0, size_ = 0;
  int line_ = 1, word_line_ = 1;
  bool after_break_ = false;
  std::string word_;
};

bool is_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const std::size_t special = word.find(".#");  // "-1.#IND", "1.#QNAN" of older Windows programs
  if (special != std::string_view::npos) return special > 0 && special <= 2;
  double value;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return end == word.data() + word.size() && error != std::errc::invalid_argument;
}

}  // namespace

void check_ascii_grid(const std::filesystem::path& file, std::uint64_t expected,
                      IssueList& issues) {
  constexpr int kMaxFindings = 5;
  WordReader reader(file);
  bool more = reader.next();
  while (more && !is_number(reader.word()) &&
         std::isalpha(static_cast<unsigned char>(reader.word()[0]))) {  // a key and its value
    more = reader.next() && reader.next();
  }
  std::uint64_t count = 0;
  int findings = 0;
  LongTask task("checking heights", expected);
  for (; more; more = reader.next()) {
    task.advance();
    ++count;
    if (is_number(reader.word()) || ++findings > kMaxFindings) continue;
    issues.add({.message = "a height is not a number",
                .file = file.string(),
                .line = reader.line(),
                .value = reader.word()});
  }
  if (count == expected) return;
  issues.add({.message = "the number of heights is not that of the header",
              .file = file.string(),
              .field = "heights",
              .value = std::to_string(count),
              .legal = fmt::format("ncols x nrows = {}", expected)});
}

}  // namespace grouser::internal
