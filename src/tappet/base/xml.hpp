// A small reader of XML: elements, attributes and text, as data formats use them.
//
// Comments, processing instructions and document types are passed over; the five named entities and numbers of
// characters are understood. There is no validation and no namespace: "xacro:macro" is a name like any other.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tappet {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  ///< all text directly inside, in order
  std::vector<XmlElement> children;
  int line = 0;  ///< where it begins, from 1

  /// "" when absent.
  const std::string& attribute(std::string_view name) const;
  /// The first child of that name; null when there is none.
  const XmlElement* child(std::string_view name) const;
};

/// The outermost element. Nothing when the text is not well formed; `fault` then says where and why.
std::optional<XmlElement> read_xml(std::string_view text, std::string& fault);

/// The element as text that read_xml() reads the same.
std::string to_xml(const XmlElement& element);

/// Elements and attributes of a tree.
std::size_t element_count(const XmlElement& element);

/// Deepest nesting read.
inline constexpr int max_xml_depth = 200;
/// Most elements and attributes read together: each takes some hundred bytes, of a text of three.
inline constexpr std::size_t max_xml_parts = 2'000'000;

}  // namespace tappet
