#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/place.h"

/// XML as plain data: elements and their attributes, each with its place. Text between elements is left
/// out, URDF has none.
namespace grouser::internal {

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0;
};

struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::shared_ptr<const std::string> file;  ///< as the user gave it; never null after read_xml()
  int line = 0;

  const XmlAttribute* attribute(std::string_view key) const;
  /// The value of an attribute; empty if it is not there.
  std::string text(std::string_view key) const;
  /// Replaces the value of an attribute, or adds it.
  void set(std::string_view key, std::string value);
  /// The first child of this name; nullptr if there is none.
  const XmlElement* child(std::string_view child_name) const;
  XmlElement* child(std::string_view child_name);
  /// The first child of this name, added at the end if there is none.
  XmlElement& make_child(std::string_view child_name);

  Place place(std::string field = {}) const { return {*file, line, std::move(field)}; }
  Place place_of(const XmlAttribute& attribute, std::string field = {}) const {
    return {*file, attribute.line, std::move(field)};
  }
};

/// Reads a text as XML, within the bounds of guard_xml(); reports why it is none.
std::optional<XmlElement> read_xml(const std::string& text, const std::string& file,
                                   IssueList& issues);

/// The element as a file of its own. `comment` goes above it.
std::string xml_text(const XmlElement& root, std::string_view comment = {});

}  // namespace grouser::internal
