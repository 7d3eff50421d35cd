#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace grouser::internal {

/// Words of a text, line by line. A backslash at the end of a line continues it.
class ObjWords {
 public:
  explicit ObjWords(std::string_view text) : text_(text) {}

  int line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }

  /// The next word of this line; empty at its end.
  std::string_view next() {
    skip_blanks();
    const std::size_t start = at_;
    while (!at_end() && !is_blank(text_[at_]) && text_[at_] != '\n' && text_[at_] != '#' &&
           continuation() == 0) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  /// Goes to the next line, past whatever is left of this one.
  void next_line() {
    while (!at_end() && text_[at_] != '\n') {
      // Only comments go on at '#'; they end with the line, backslash or not.
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        pass_one();
      }
    }
    ++at_;
    ++line_;
  }

 private:
  static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }

  /// Length of a backslash and end of line here; 0 if there is none.
  std::size_t continuation() const {
    if (text_[at_] != '\\') return 0;
    if (text_.substr(at_ + 1).starts_with('\n')) return 2;
    return text_.substr(at_ + 1).starts_with("\r\n") ? 3 : 0;
  }

  void pass_one() {
    const std::size_t joint = continuation();
    if (joint > 0) ++line_;
    at_ += std::max<std::size_t>(joint, 1);
  }

  void skip_blanks() {
    while (!at_end() && (is_blank(text_[at_]) || continuation() > 0)) pass_one();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// The number that the whole word spells, infinite if it is too large; nothing if it spells none.
std::optional<double> obj_number(std::string_view word);

}  // namespace grouser::internal
