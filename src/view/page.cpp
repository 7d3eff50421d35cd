#include "view/page.h"

#include <utility>

#include "view/page_files.h"

namespace grouser::internal {
namespace {

constexpr std::string_view kMissingPage = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Grouser</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em}
code{background:#eee;padding:.1em .3em}</style></head><body>
<h1>The viewer's page is missing</h1>
<p>This program was built without Node.js, which makes the page. All else works.</p>
<p>To get it: install Node.js 20.19 or later with npm, then call <code>make viewer</code> in the sources
(or <code>cmake -D GROUSER_VIEWER=ON</code>) and start <code>grouser view</code> again.</p>
<p>Without it: <code>grouser report DIR</code> writes a page with plots and pictures, and
<code>grouser snapshot DIR</code> a picture.</p>
</body></html>
)";

std::string_view type_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"}};
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

}  // namespace

bool has_page() { return !page_files().empty(); }

std::optional<Reply> page_file(std::string_view path) {
  const std::string_view name = path == "/" ? "index.html" : path.substr(1);
  for (const PageFile& file : page_files()) {
    if (file.name != name) continue;
    return Reply{
        .type = std::string(type_of(name)), .body = std::string(file.text), .gzipped = true};
  }
  if (path != "/") return std::nullopt;
  return Reply{.type = "text/html; charset=utf-8", .body = std::string(kMissingPage)};
}

}  // namespace grouser::internal
