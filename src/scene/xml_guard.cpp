#include "scene/xml_guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/place.h"

namespace grouser::internal {
namespace {

constexpr int kMaxXmlDepth = 32;  // URDF needs six
constexpr int kMaxTags = 200'000;
constexpr std::size_t kMaxTagBytes = 16384;  // parameters of macros are long

/// Position behind the first `mark` at or after `from`, or the end of the text.
std::size_t behind(std::string_view text, std::string_view mark, std::size_t from) {
  const std::size_t at = text.find(mark, from);
  return at == std::string_view::npos ? text.size() : at + mark.size();
}

/// Position behind the tag that begins at `from`; a '>' within quotes does not end it.
std::size_t behind_tag(std::string_view text, std::size_t from) {
  char quote = '\0';
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

bool guard_xml(std::string_view text, const std::string& file, IssueList& issues) {
  const auto refuse = [&](std::size_t at, std::string why, std::string legal = {}) {
    const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
    issues.add(issue_at({file, static_cast<int>(line), {}}, std::move(why), {}, std::move(legal)));
    return false;
  };
  int depth = 0;
  int tags = 0;
  std::size_t at = text.find('<');
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    std::size_t end = 0;
    if (rest.starts_with("<!--")) {
      end = behind(text, "-->", at + 4);
    } else if (rest.starts_with("<![CDATA[")) {
      end = behind(text, "]]>", at);
    } else if (rest.starts_with("<?")) {
      end = behind(text, "?>", at);
    } else if (rest.starts_with("<!")) {
      return refuse(at, "document types and entities are not allowed in a robot file");
    } else {
      end = behind_tag(text, at);
      if (end - at > kMaxTagBytes) {
        return refuse(at, "the tag is too long or its quotes do not close",
                      fmt::format("<= {} bytes", kMaxTagBytes));
      }
      if (++tags > kMaxTags) return refuse(at, "too many tags", fmt::format("<= {}", kMaxTags));
      const bool closing = rest.starts_with("</");
      const bool empty = end - at >= 2 && text[end - 2] == '/';
      if (closing) --depth;
      if (!closing && !empty) ++depth;
      if (depth > kMaxXmlDepth) {
        return refuse(at, "is nested too deeply", fmt::format("<= {}", kMaxXmlDepth));
      }
    }
    at = text.find('<', end);
  }
  return true;
}

}  // namespace grouser::internal
