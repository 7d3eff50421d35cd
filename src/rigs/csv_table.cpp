#include "rigs/csv_table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "scene/text_file.h"

namespace grouser::internal {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

class CsvParser {
 public:
  CsvParser(std::string_view text, const std::string& file) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
    table_.file = file;
  }

  CsvTable run() {
    if (check_text(text_, table_.file, issues_)) {
      while (at_ < text_.size()) read_line();
      if (table_.header.empty()) {
        report(0, "holds no table", {}, "a line of column names, then lines of numbers");
      } else if (table_.rows.empty() && issues_.empty()) {
        report(table_.header_line, "has column names but no line of data");
      }
    }
    issues_.throw_if_any();
    table_.decimal_comma = separator_ != ',' && has_numbers_with(',') && !has_numbers_with('.');
    return std::move(table_);
  }

 private:
  void report(int line, std::string message, std::string value = {}, std::string legal = {}) {
    issues_.add({.message = std::move(message),
                 .file = table_.file,
                 .line = line,
                 .value = std::move(value),
                 .legal = std::move(legal)});
  }

  // Text up to the end of the line, which is not taken.
  std::string_view rest_of_line() const {
    return text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
  }

  void skip_line() {
    at_ += rest_of_line().size();
    if (at_ < text_.size()) ++at_;
    ++line_;
  }

  void read_line() {
    const std::string content = trimmed(rest_of_line());
    if (content.empty() || content.starts_with('#')) return skip_line();
    if (table_.header.empty()) separator_ = find_separator(rest_of_line());
    const int line = line_;
    std::vector<std::string> fields = read_fields();
    if (table_.header.empty()) {
      take_header(line, std::move(fields));
    } else if (fields.size() != table_.header.size()) {
      std::string message = "has another number of fields than there are columns";
      if (separator_ == ',' && fields.size() > table_.header.size()) {
        message += "; if its numbers have decimal commas, separate fields by semicolons";
      }
      report(line, std::move(message), std::to_string(fields.size()),
             std::to_string(table_.header.size()));
    } else {
      table_.rows.push_back({line, std::move(fields)});
    }
  }

  // Whether some field is a number with this before its decimals; names of trials may be anything.
  bool has_numbers_with(char decimal) const {
    return std::ranges::any_of(table_.rows, [&](const CsvTable::Row& row) {
      for (std::size_t k = 0; k < row.fields.size(); ++k) {
        if (table_.header[k] != "trial" && is_decimal(row.fields[k], decimal)) return true;
      }
      return false;
    });
  }

  static bool is_decimal(std::string_view text, char decimal) {
    const char other = decimal == ',' ? '.' : ',';
    if (std::ranges::count(text, decimal) != 1 || text.find(other) != std::string_view::npos) {
      return false;
    }
    const bool has_digit =
        std::ranges::any_of(text, [](unsigned char c) { return std::isdigit(c); });
    return has_digit && text.find_first_not_of("0123456789+-eE,.") == std::string_view::npos;
  }

  static char find_separator(std::string_view header) {
    char best = ',';
    for (const char separator : {';', '\t'}) {
      if (std::ranges::count(header, separator) > std::ranges::count(header, best)) {
        best = separator;
      }
    }
    return best;
  }

  void take_header(int line, std::vector<std::string> names) {
    table_.header_line = line;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
      if (!names[i].empty() && std::find(names.begin(), end, names[i]) != end) {
        report(line, "two columns have the same name", names[i]);
      }
    }
    table_.header = std::move(names);
  }

  // The fields of a line and its end; a quoted field may hold line ends.
  std::vector<std::string> read_fields() {
    std::vector<std::string> fields;
    while (true) {
      fields.push_back(read_field());
      if (at_ >= text_.size()) break;
      const char end = text_[at_++];
      if (end == '\n') break;
    }
    ++line_;
    return fields;
  }

  // Leaves at_ on the separator or line end after the field.
  std::string read_field() {
    std::size_t begin = at_;
    while (begin < text_.size() && text_[begin] == ' ') ++begin;
    std::string quoted;
    const bool has_quotes = begin < text_.size() && text_[begin] == '"';
    if (has_quotes) {
      at_ = begin + 1;
      quoted = read_quoted();
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    std::string plain = trimmed(text_.substr(from, at_ - from));
    if (!has_quotes) return plain;
    if (!plain.empty()) report(line_, "text follows a closing quote", plain);
    return quoted;
  }

  std::string read_quoted() {
    const int opened = line_;
    std::string content;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') {
        if (at_ >= text_.size() || text_[at_] != '"') return content;
        ++at_;
      }
      if (c == '\n') ++line_;
      content += c;
    }
    report(opened, "a quote is never closed");
    return content;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  char separator_ = ',';
  CsvTable table_;
  IssueList issues_;
};

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& file) {
  return CsvParser(text, file).run();
}

CsvTable read_csv(const std::filesystem::path& file) {
  IssueList issues;
  const auto text = read_text_file(file, {}, issues);
  if (!text) throw Error(ErrorKind::io, issues.issues());
  return parse_csv(*text, file.string());
}

std::optional<double> number_in(const CsvTable& table, std::string text) {
  if (table.decimal_comma) {
    if (text.find('.') != std::string::npos) return std::nullopt;  // as in 1.234,5
    std::ranges::replace(text, ',', '.');
  }
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

const char* number_format(const CsvTable& table) {
  return table.decimal_comma ? "a number with a decimal comma, as others of the file, e.g. 1,5"
                             : "a number with a decimal point, e.g. 1.5; decimal commas throughout "
                               "with semicolons between the fields";
}

}  // namespace grouser::internal
