#include "tappet/base/xml.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace tappet {
namespace {

bool ends_name(char c) {
  return std::isspace(static_cast<unsigned char>(c)) || c == '>' || c == '/' || c == '=' || c == '<';
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto more = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6), more(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12), more(6), more(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18), more(12), more(6), more(0);
  }
}

/// Appends what an entity such as `amp` or `#x41` stands for; false when nothing.
bool append_entity(std::string_view name, std::string& out) {
  static constexpr std::pair<std::string_view, char> named[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : named)
    if (name == known) return out += character, true;
  if (!name.starts_with('#')) return false;
  const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
  name.remove_prefix(hex ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (name.empty() || fault != std::errc() || end != name.data() + name.size() || code > 0x10ffff)
    return false;
  append_utf8(code, out);
  return true;
}

class Reader {
 public:
  Reader(std::string_view text, std::string& fault) : text_(text), fault_(fault) {}

  std::optional<XmlElement> document() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    XmlElement root;
    if (!skip_misc() || !element(root, 0) || !skip_misc()) return std::nullopt;
    if (at_ < text_.size()) return fail("there is more after the outermost element"), std::nullopt;
    return root;
  }

 private:
  std::string_view text_;
  std::string& fault_;
  std::size_t at_ = 0, counted_ = 0, parts_ = 0;
  int line_ = 1;

  bool one_more() {
    return ++parts_ <= max_xml_parts ||
           fail(fmt::format("there are more than {} elements and attributes, which is the most that is read",
                            max_xml_parts));
  }

  int line() {
    for (; counted_ < std::min(at_, text_.size()); ++counted_) line_ += text_[counted_] == '\n';
    return line_;
  }
  bool fail(const std::string& what) {
    fault_ = fmt::format("line {}: {}", line(), what);
    return false;
  }
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return fail(fmt::format("'{}' is missing", end));
    at_ = found + end.size();
    return true;
  }

  /// Space, comments, instructions and the document type, whose own part in brackets may hold '>'.
  bool skip_misc() {
    while (true) {
      skip_space();
      if (starts("<?")) {
        if (!skip_past("?>")) return false;
      } else if (starts("<!--")) {
        if (!skip_past("-->")) return false;
      } else if (starts("<!")) {
        const std::size_t stop = text_.find_first_of("[>", at_);
        const bool inner = stop != std::string_view::npos && text_[stop] == '[';
        if ((inner && !skip_past("]")) || !skip_past(">")) return false;
      } else {
        return true;
      }
    }
  }

  std::string name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  /// Plain text with its entities put in.
  bool append_plain(std::string_view raw, std::string& out) {
    while (!raw.empty()) {
      const std::size_t mark = raw.find('&');
      out += raw.substr(0, mark);
      if (mark == std::string_view::npos) return true;
      raw.remove_prefix(mark + 1);
      const std::size_t end = raw.find(';');
      if (end == std::string_view::npos || !append_entity(raw.substr(0, end), out))
        return fail("'&' does not begin an entity that is known");
      raw.remove_prefix(end + 1);
    }
    return true;
  }

  bool attributes(XmlElement& out) {
    while (true) {
      skip_space();
      if (at_ >= text_.size()) return fail(fmt::format("element '{}' does not end", out.name));
      if (text_[at_] == '>' || text_[at_] == '/') return true;
      const std::string key = name();
      skip_space();
      if (key.empty() || at_ >= text_.size() || text_[at_] != '=')
        return fail(fmt::format("element '{}' has something that is no attribute", out.name));
      ++at_;
      skip_space();
      const char mark = at_ < text_.size() ? text_[at_] : '\0';
      if (mark != '"' && mark != '\'') return fail(fmt::format("attribute '{}' has no quoted value", key));
      const std::size_t start = ++at_;
      if (!skip_past(std::string_view(&mark, 1))) return false;
      std::string value;
      if (!append_plain(text_.substr(start, at_ - 1 - start), value)) return false;
      if (!one_more()) return false;
      out.attributes.emplace_back(key, std::move(value));
    }
  }

  bool element(XmlElement& out, int depth) {
    if (depth > max_xml_depth) return fail(fmt::format("elements are nested deeper than {}", max_xml_depth));
    if (at_ >= text_.size() || text_[at_] != '<') return fail("an element is missing");
    if (!one_more()) return false;
    out.line = line();
    ++at_;
    out.name = name();
    if (out.name.empty()) return fail("'<' does not begin an element");
    if (!attributes(out)) return false;
    if (text_[at_] == '/') {
      ++at_;
      return at_ < text_.size() && text_[at_] == '>' ? (++at_, true) : fail("'/' is not followed by '>'");
    }
    ++at_;
    return content(out, depth);
  }

  bool content(XmlElement& out, int depth) {
    while (true) {
      const std::size_t next = std::min(text_.find('<', at_), text_.size());
      if (!append_plain(text_.substr(at_, next - at_), out.text)) return false;
      at_ = next;
      if (at_ >= text_.size()) return fail(fmt::format("element '{}' does not end", out.name));
      if (starts("</")) {
        at_ += 2;
        const std::string closed = name();
        skip_space();
        if (closed != out.name || at_ >= text_.size() || text_[at_] != '>')
          return fail(fmt::format("'</{}>' stands where '</{}>' is due", closed, out.name));
        ++at_;
        return true;
      }
      if (starts("<![CDATA[")) {
        const std::size_t start = at_ + 9;
        if (!skip_past("]]>")) return false;
        out.text += text_.substr(start, at_ - 3 - start);
      } else if (starts("<!") || starts("<?")) {
        if (!skip_misc()) return false;
      } else {
        out.children.emplace_back();
        if (!element(out.children.back(), depth + 1)) return false;
      }
    }
  }
};

}  // namespace

const std::string& XmlElement::attribute(std::string_view wanted) const {
  static const std::string absent;
  for (const auto& [key, value] : attributes)
    if (key == wanted) return value;
  return absent;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& one : children)
    if (one.name == wanted) return &one;
  return nullptr;
}

namespace {

void write_plain(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
}

void write(const XmlElement& e, std::string& out) {
  out += '<' + e.name;
  for (const auto& [key, value] : e.attributes) {
    out += ' ' + key + "=\"";
    write_plain(value, out);
    out += '"';
  }
  out += '>';
  write_plain(e.text, out);
  for (const XmlElement& child : e.children) write(child, out);
  out += "</" + e.name + '>';
}

}  // namespace

std::size_t element_count(const XmlElement& element) {
  std::size_t out = 1 + element.attributes.size();
  for (const XmlElement& child : element.children) out += element_count(child);
  return out;
}

std::string to_xml(const XmlElement& element) {
  std::string out;
  write(element, out);
  return out;
}

std::optional<XmlElement> read_xml(std::string_view text, std::string& fault) {
  return Reader(text, fault).document();
}

}  // namespace tappet
