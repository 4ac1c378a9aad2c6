// The value tree as YAML text: block style down to the first list, flow style from there on, so that the text
// reads like a model written by hand. Reading the text again gives an equal tree.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "tappet/spec/spec.hpp"

namespace tappet {

namespace {

/// True when the text, written without quotes, is read as the same scalar everywhere (block and flow).
bool is_safe_plain(const std::string& text) {
  static const std::set<std::string> null_words = {"", "~", "null", "Null", "NULL", "<<"};
  if (null_words.contains(text)) return false;
  const auto ordinary = [](unsigned char c) { return std::isalnum(c) || c >= 0x80 || c == '_' || c == '.'; };
  const unsigned char first = text.front();
  const bool signed_start =
      (first == '-' || first == '+') && text.size() > 1 && (std::isalnum(text[1]) || text[1] == '.');
  if (!ordinary(first) && first != '(' && !signed_start) return false;
  if (text.starts_with("...") || text.back() == ' ') return false;
  // A byte order mark and the non-ASCII spaces and line ends begin with these bytes.
  return std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return (ordinary(c) || std::string_view("+-*/^()<>=% ").find(c) != std::string_view::npos) && c != 0xC2 &&
           c != 0xE2 && c != 0xEF;
  });
}

std::string scalar_text(const std::string& text, bool quoted) {
  if (!quoted && is_safe_plain(text)) return text;
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

void write_flow(const Value& value, std::string& out) {
  switch (value.kind) {
    case Value::Kind::null:
      out += "null";
      break;
    case Value::Kind::scalar:
      out += scalar_text(value.text, value.quoted);
      break;
    case Value::Kind::sequence:
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        write_flow(value.items[i], out);
      }
      out += ']';
      break;
    case Value::Kind::mapping:
      out += '{';
      for (std::size_t i = 0; i < value.map.size(); ++i) {
        if (i > 0) out += ", ";
        out += scalar_text(value.map[i].first, false) + ": ";
        write_flow(value.map[i].second, out);
      }
      out += '}';
      break;
  }
}

void write_block(const Value& mapping, int indent, std::string& out) {
  for (const auto& [key, value] : mapping.map) {
    out.append(indent, ' ');
    out += scalar_text(key, false) + ":";
    if (value.kind == Value::Kind::mapping && !value.map.empty()) {
      out += '\n';
      write_block(value, indent + 2, out);
    } else {
      out += ' ';
      write_flow(value, out);
      out += '\n';
    }
  }
}

}  // namespace

std::string to_yaml(const Value& value) {
  std::string out;
  if (value.kind == Value::Kind::mapping && !value.map.empty()) {
    write_block(value, 0, out);
  } else {
    write_flow(value, out);
    out += '\n';
  }
  return out;
}

}  // namespace tappet
