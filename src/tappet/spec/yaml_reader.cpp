#include "tappet/spec/yaml_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "tappet/spec/yaml_builder.hpp"

namespace tappet {

namespace {

// --- Text that is text
// ---------------------------------------------------------------------------------------------

/// Length in bytes of the UTF-8 character at `at`, 0 when there is none.
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned c = byte(at);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) {
    // No overlong forms, no halves of surrogate pairs.
    if ((c == 0xE0 && byte(at + 1) < 0xA0) || (c == 0xED && byte(at + 1) > 0x9F)) return 0;
    return continues(at + 1) && continues(at + 2) ? 3 : 0;
  }
  if (c >= 0xF0 && c <= 0xF4) {
    if ((c == 0xF0 && byte(at + 1) < 0x90) || (c == 0xF4 && byte(at + 1) > 0x8F)) return 0;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

void check_text(const std::string& text, const std::shared_ptr<const std::string>& file) {
  int line = 1;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = text[at];
    const SourcePos pos{file, line, static_cast<int>(at - line_begin) + 1};
    if (c == 0) throw_input_error(pos, "not a text file: it contains a zero byte");
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F)
      throw_input_error(pos, fmt::format("not a text file: it contains the control character {:#04x}", c));
    const std::size_t length = utf8_length(text, at);
    if (length == 0)
      throw_input_error(pos, fmt::format("not UTF-8 text: the byte {:#04x} is out of place", c));
    at += length;
    if (c == '\n') {
      ++line;
      line_begin = at;
    }
  }
}

// --- YAML
// ----------------------------------------------------------------------------------------------------------

/// The rest of the text from a place in it.
std::string_view text_from(std::string_view text, const SourcePos& pos) {
  for (int line = 1; line < pos.line; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  const std::size_t column = static_cast<std::size_t>(std::max(pos.column, 1) - 1);
  return column < text.size() ? text.substr(column) : std::string_view{};
}

/// yaml-cpp takes the end of the file for the end of a quoted text. Only the last one can lack its closing
/// quote.
void check_last_quote(std::string_view text, const SourcePos& last_quoted) {
  if (last_quoted.line == 0) return;
  std::string_view rest = text_from(text, last_quoted);
  // An anchor and a tag may come first.
  while (rest.starts_with('&') || rest.starts_with('!')) {
    rest.remove_prefix(std::min(rest.find_first_of(" \t\n"), rest.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
  }
  // Block texts (| and >) end by their indentation.
  if (!rest.starts_with('\'') && !rest.starts_with('"')) return;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const bool doubled = rest[0] == '\'' && rest[i] == '\'' && rest.substr(i + 1, 1) == "'";
    if (doubled || (rest[0] == '"' && rest[i] == '\\'))
      ++i;
    else if (rest[i] == rest[0])
      return;
  }
  throw_input_error(last_quoted, "not valid YAML: the quoted text that begins here has no end");
}

/// yaml-cpp's words for a fault say what its reader expected, not what the writer did. What usually is behind them:
std::string cause_of(std::string_view text, const SourcePos& pos, const std::string& words) {
  // Up to the place, since the reader notices late; the first tab is the one to mend.
  for (int line = 1; line <= pos.line && !text.empty(); ++line) {
    const std::string_view begin = text.substr(0, text.find_first_not_of(" \t"));
    if (begin.find('\t') != std::string_view::npos)
      return fmt::format("not valid YAML: line {} is indented by a tab; YAML is indented by spaces alone",
                         line);
    const std::size_t end = text.find('\n');
    if (line == pos.line && words == "illegal map value")
      return "not valid YAML: a second ':' in one line; text that contains ': ' is written in quotes";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return "not valid YAML: " + words;
}

Value parse_yaml(std::string text, const std::shared_ptr<const std::string>& file) {
  check_text(text, file);
  // Without a byte order mark and with a last line end, places and messages are the same for all files.
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (!text.ends_with('\n')) text += '\n';
  YamlBuilder builder(file);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      if (builder.second_document().line == 0) continue;
      const bool marked = text_from(text, builder.second_document()).starts_with("---");
      throw_input_error(builder.second_document(),
                        marked ? "a second document begins here; a model file holds one document"
                               : "not valid YAML: this does not belong to what stands above it");
    }
  } catch (const YAML::Exception& fault) {
    const SourcePos pos = builder.place(fault.mark);
    throw_input_error(pos, cause_of(text, pos, fault.msg));
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& fault) {
    throw_input_error({file, 0, 0}, std::string("not valid YAML: ") + fault.what());
  }
  check_last_quote(text, builder.last_quoted());
  return builder.take_root();
}

void set_place(Value& value, const SourcePos& pos) {
  value.pos = pos;
  for (Value& item : value.items) set_place(item, pos);
  for (auto& [key, child] : value.map) set_place(child, pos);
  for (SourcePos& key : value.key_pos) key = pos;
}

// --- Files
// ---------------------------------------------------------------------------------------------------------

[[noreturn]] void throw_too_large(const SourcePos& whole_file, const std::string& size) {
  throw_input_error(whole_file, fmt::format("the file is too large for a model: {}, at most {} MB are read",
                                            size, max_model_bytes >> 20));
}

std::string read_text_file(const std::string& path, const SourcePos& whole_file) {
  namespace fs = std::filesystem;
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  if (status.type() == fs::file_type::not_found) throw_input_error(whole_file, "no such file");
  if (fault) throw_input_error(whole_file, "the file cannot be read: " + fault.message());
  if (fs::is_directory(status))
    throw_input_error(whole_file, "this is a directory; a model file is expected");
  if (fs::is_regular_file(status)) {
    const auto size = fs::file_size(path, fault);
    if (!fault && size > max_model_bytes) throw_too_large(whole_file, fmt::format("{} MB", (size >> 20) + 1));
  }

  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw_input_error(whole_file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
  // A pipe does not tell its size beforehand: read one byte more than allowed and no further.
  std::string text;
  std::vector<char> block(1 << 16);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_model_bytes) throw_too_large(whole_file, "more than it may hold");
  }
  if (stream.bad())
    throw_input_error(whole_file, fmt::format("the file cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace

Value read_yaml_text(const std::string& text, const std::string& name_in_messages) {
  const auto file = std::make_shared<const std::string>(name_in_messages);
  if (text.size() > max_model_bytes)
    throw_too_large({file, 0, 0}, fmt::format("{} MB", (text.size() >> 20) + 1));
  Value root = parse_yaml(text, file);
  if (root.kind == Value::Kind::null)
    throw_input_error({file, 0, 0}, "the file is empty; a model begins with 'tappet: 1'");
  if (root.kind != Value::Kind::mapping)
    throw_input_error(root.pos, fmt::format("a model is a mapping of keys such as 'tappet: 1', not a {}",
                                            root.kind == Value::Kind::sequence ? "list" : "single value"));
  return root;
}

namespace {

/// All of standard input, which can be read once and is asked for as often as a file.
const std::string& standard_input() {
  static const std::string text = [] {
    std::string all;
    std::vector<char> block(1 << 16);
    while (std::cin && all.size() <= max_model_bytes) {
      std::cin.read(block.data(), static_cast<std::streamsize>(block.size()));
      all.append(block.data(), static_cast<std::size_t>(std::cin.gcount()));
    }
    return all;
  }();
  return text;
}

}  // namespace

Value read_yaml_file(const std::string& path) {
  if (path == "-") return read_yaml_text(standard_input(), "standard input");
  const SourcePos whole_file{std::make_shared<const std::string>(path), 0, 0};
  return read_yaml_text(read_text_file(path, whole_file), path);
}

Value read_yaml_fragment(const std::string& text, const SourcePos& pos) {
  try {
    Value value = parse_yaml(text, pos.file);
    set_place(value, pos);
    return value;
  } catch (const InputError& fault) {
    throw_input_error(pos, fault.diagnostics().front().message);
  }
}

}  // namespace tappet
