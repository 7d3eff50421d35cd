#include "scene/xml_element.h"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>

#include "scene/text_file.h"
#include "scene/xml_guard.h"

namespace grouser::internal {
namespace {

XmlElement from_tiny_xml(const TiXmlElement& given,
                         const std::shared_ptr<const std::string>& file) {
  XmlElement element{.name = given.ValueStr(), .file = file, .line = given.Row()};
  for (const TiXmlAttribute* a = given.FirstAttribute(); a != nullptr; a = a->Next()) {
    element.attributes.push_back({a->NameTStr(), a->ValueStr(), a->Row()});
  }
  for (const TiXmlElement* c = given.FirstChildElement(); c != nullptr;
       c = c->NextSiblingElement()) {
    element.children.push_back(from_tiny_xml(*c, file));
  }
  return element;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void write_element(const XmlElement& element, int depth, std::string& out) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  out += indent + "<" + element.name;
  for (const XmlAttribute& attribute : element.attributes) {
    out += fmt::format(" {}=\"{}\"", attribute.name, escaped(attribute.value));
  }
  if (element.children.empty()) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  for (const XmlElement& child : element.children) write_element(child, depth + 1, out);
  out += indent + "</" + element.name + ">\n";
}

}  // namespace

const XmlAttribute* XmlElement::attribute(std::string_view key) const {
  const auto found = std::ranges::find(attributes, key, &XmlAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::string XmlElement::text(std::string_view key) const {
  const XmlAttribute* found = attribute(key);
  return found == nullptr ? std::string() : found->value;
}

void XmlElement::set(std::string_view key, std::string value) {
  const auto found = std::ranges::find(attributes, key, &XmlAttribute::name);
  if (found == attributes.end()) {
    attributes.push_back({std::string(key), std::move(value), line});
  } else {
    found->value = std::move(value);
  }
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const auto found = std::ranges::find(children, child_name, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

XmlElement* XmlElement::child(std::string_view child_name) {
  const auto found = std::ranges::find(children, child_name, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

XmlElement& XmlElement::make_child(std::string_view child_name) {
  if (XmlElement* found = child(child_name)) return *found;
  children.push_back({.name = std::string(child_name), .file = file, .line = line});
  return children.back();
}

std::optional<XmlElement> read_xml(const std::string& text, const std::string& file,
                                   IssueList& issues) {
  if (!check_text(text, file, issues) || !guard_xml(text, file, issues)) return std::nullopt;
  TiXmlDocument document;
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error()) {
    issues.add(issue_at({file, document.ErrorRow(), {}},
                        fmt::format("not valid XML: {}", document.ErrorDesc())));
    return std::nullopt;
  }
  const TiXmlElement* root = document.RootElement();
  if (root == nullptr) {
    issues.add(issue_at({file, 1, {}}, "holds no XML element"));
    return std::nullopt;
  }
  return from_tiny_xml(*root, std::make_shared<const std::string>(file));
}

std::string xml_text(const XmlElement& root, std::string_view comment) {
  std::string out = "<?xml version=\"1.0\"?>\n";
  if (!comment.empty()) {
    std::string inside(comment);
    // Two hyphens would end the comment.
    for (std::size_t at = inside.find("--"); at != std::string::npos; at = inside.find("--", at)) {
      inside.replace(at, 2, "- -");
    }
    out += fmt::format("<!--\n{}-->\n", inside);
  }
  write_element(root, 0, out);
  return out;
}

}  // namespace grouser::internal
