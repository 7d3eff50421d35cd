#include "scene/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace grouser::internal {
namespace {

/// Length of the UTF-8 sequence at the start of `text`, or 0 if it is not one.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  // Overlong forms, surrogates and values beyond U+10FFFF betray themselves in the second byte.
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

bool is_legal_control(char c) { return c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::optional<std::string> read_text_file(const std::filesystem::path& file, const Place& referrer,
                                          IssueList& issues) {
  const std::string name = file.string();
  const auto refuse = [&](const std::string& why) {
    Place place = referrer;
    if (place.file.empty()) place.file = name;
    issues.add(issue_at(place, referrer.file.empty() ? why : fmt::format("'{}': {}", name, why)));
    return std::nullopt;
  };
  std::error_code status_error;
  const auto status = std::filesystem::status(file, status_error);
  if (status.type() == std::filesystem::file_type::not_found) return refuse("no such file");
  if (status_error) return refuse("cannot be read: " + status_error.message());
  if (is_directory(status)) return refuse("is a folder, not a file");

  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text(kMaxTextFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return refuse("cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxTextFileBytes) {
    return refuse(fmt::format("is larger than {} MB", kMaxTextFileBytes >> 20));
  }
  return text;
}

bool check_text(std::string_view text, const std::string& file, IssueList& issues) {
  std::size_t at = 0;
  std::size_t length = 0;
  for (; at < text.size(); at += length) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte < 0x20 && !is_legal_control(text[at])) || byte == 0x7F) break;
    length = utf8_length(text.substr(at));
    if (length == 0) break;
  }
  if (at >= text.size()) return true;
  const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
  issues.add(issue_at({file, static_cast<int>(line), {}}, "is not text in UTF-8",
                      fmt::format("byte 0x{:02X}", static_cast<unsigned char>(text[at]))));
  return false;
}

}  // namespace grouser::internal
