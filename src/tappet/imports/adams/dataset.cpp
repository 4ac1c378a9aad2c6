#include "tappet/imports/adams/dataset.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/text.hpp"

namespace tappet::adams {
namespace {

/// Stands in a statement's text where a line begins with a comma: a comma between arguments, nothing within a function.
constexpr char continued = '\x01';

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) || c == continued;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Without spaces at both ends, as a text of its own.
std::string strip(std::string_view text) {
  return std::string(trimmed(text));
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Statements, arguments and values together: each takes some hundred bytes, of a text of two.
constexpr std::size_t most_parts = 2'000'000;

/// A statement's lines as one text, and the line of each of its characters.
struct Joined {
  std::string text, view_name;
  std::vector<int> lines;
  int line() const { return lines.empty() ? 0 : lines.front(); }
  void add(char c, int line) { text += c, lines.push_back(line); }
};

/// Arguments that are functions: their text goes on to a backslash, a comma outside of parentheses or the end.
bool is_function(const std::string& statement, const std::string& name) {
  static const std::set<std::string> always = {"FUNCTION", "FUNCT", "FUNC", "FUN", "FU"};
  if (always.count(name)) return true;
  if (name.size() == 2 && name[0] == 'F' && std::isdigit(static_cast<unsigned char>(name[1])))
    return std::string("REQUEST").starts_with(statement);
  static const std::set<std::string> components = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  return components.count(name) &&
         (statement.starts_with("GFO") || statement.starts_with("VFO") || statement.starts_with("VTO"));
}
/// Texts that may contain anything.
bool is_text(const std::string& statement, const std::string& name) {
  if (std::string("COMMENT").starts_with(name))
    return std::string("REQUEST").starts_with(statement) || std::string("MREQUEST").starts_with(statement) ||
           name.size() > 2;
  return name == "TITLE" || name == "STRING" || name == "FILE";
}

class Reader {
 public:
  Reader(const std::string& text, const SourcePos& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {
    join(text);
  }

  DataSet read() {
    for (const Joined& one : joined_) {
      Statement s = statement(one);
      if (s.name == "END") break;
      for (const Argument& argument : s.arguments) parts_ += 1 + argument.values.size();
      if (parts_ > most_parts) {
        too_many(s.line);
        break;
      }
      if (!s.name.empty()) out_.statements.push_back(std::move(s));
    }
    return std::move(out_);
  }

 private:
  void too_many(int line) {
    fault(line,
          fmt::format("there are more than {} statements, arguments and values up to here, which is the most "
                      "that is read",
                      most_parts));
  }
  void fault(int line, const std::string& words) { diagnostics_.error({file_.file, line, 0}, words); }

  // --- Lines

  void join(const std::string& text) {
    int number = 0;
    bool titled = false, goes_on = false;
    std::string view_name;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      at = end + 1, ++number;
      if (!titled && !strip(line).empty() && strip(line).front() != '!') {
        titled = true;
        if (!begins_statement(line)) {
          out_.title = strip(line);
          continue;
        }
      }
      find_view_name(line, view_name);
      if (const std::size_t comment = line.find('!'); comment != std::string::npos) line.resize(comment);
      // A semicolon ends a statement, as the end of a line does.
      for (std::size_t from = 0; from <= line.size();) {
        const std::size_t end_of_one = std::min(line.find(';', from), line.size());
        if (!add_line(strip(std::string_view(line).substr(from, end_of_one - from)), number, goes_on,
                      view_name))
          return;
        from = end_of_one + 1;
      }
    }
  }

  /// False when there are too many.
  bool add_line(std::string line, int number, bool& goes_on, std::string& view_name) {
    if (line.empty()) return true;
    const bool comma = line.front() == ',';
    if ((comma || goes_on) && !joined_.empty()) {
      joined_.back().add(comma ? continued : ' ', number);
      if (comma) line.erase(0, 1);
    } else {
      if (++parts_ > most_parts) {
        too_many(number);
        return false;
      }
      joined_.emplace_back();
      joined_.back().view_name = std::exchange(view_name, "");
    }
    goes_on = !line.empty() && line.back() == '&';
    if (goes_on) line.pop_back();
    for (char c : line) joined_.back().add(c == '\t' ? ' ' : c, number);
    return true;
  }

  static bool begins_statement(const std::string& line) {
    static const std::set<std::string> usual = {"UNITS",    "PART",   "MARKER",   "JOINT",  "ACCGRAV",
                                                "MATERIAL", "SPLINE", "VARIABLE", "OUTPUT", "INTEGRATOR",
                                                "RESULTS",  "ARRAY",  "STRING",   "LIST",   "PREFERENCES"};
    const std::string head = upper(strip(line));
    return usual.count(head.substr(0, head.find('/'))) > 0 && head.find('/') != std::string::npos;
  }

  static void find_view_name(const std::string& line, std::string& name) {
    const std::string key = "adams_view_name";
    const std::size_t at = line.find(key);
    if (line.empty() || strip(line).empty() || strip(line).front() != '!' || at == std::string::npos) return;
    const std::size_t from = line.find('\'', at), to = line.find('\'', from + 1);
    if (from != std::string::npos && to != std::string::npos) name = line.substr(from + 1, to - from - 1);
  }

  // --- Statements

  Statement statement(const Joined& in) {
    Statement out;
    out.line = in.line();
    out.title = in.view_name;
    std::size_t at = 0;
    while (at < in.text.size() && is_word(in.text[at])) out.name += in.text[at++];
    out.name = upper(out.name);
    while (at < in.text.size() && in.text[at] == ' ') ++at;
    if (out.name == "END" && at >= in.text.size()) return out;
    if (out.name.empty() || at >= in.text.size() || in.text[at] != '/') {
      if (out.name != "END")
        fault(out.line, fmt::format("{}: here a statement NAME/id is expected, or a comma that goes on with "
                                    "the one before",
                                    quote(in.text)));
      out.name.clear();
      return out;
    }
    ++at;
    std::string id;
    while (at < in.text.size() && in.text[at] != ',' && in.text[at] != continued) {
      if (in.text[at] == '=') {  // ACCGRAV/KGRAV = -9.8: there was no id
        at -= id.size();
        id.clear();
        break;
      }
      id += in.text[at++];
    }
    id = strip(id);
    const bool number =
        !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c); });
    if (number)
      out.id = plain_id(id);
    else if (!id.empty())
      out.arguments.push_back({.name = upper(id), .values = {}, .line = out.line});
    arguments(in, at, out);
    return out;
  }

  void arguments(const Joined& in, std::size_t at, Statement& out) {
    while (true) {
      while (at < in.text.size() && (is_space(in.text[at]) || in.text[at] == ',' || in.text[at] == '\\'))
        ++at;
      if (at >= in.text.size()) return;
      Argument argument;
      argument.line = in.lines[at];
      while (at < in.text.size() && is_word(in.text[at])) argument.name += in.text[at++];
      argument.name = upper(argument.name);
      if (argument.name.empty()) {
        fault(in.lines[at], fmt::format("{}: here the name of an argument of {}/{} is expected",
                                        quote(in.text.substr(at, 30)), out.name, out.id));
        return;
      }
      while (at < in.text.size() && in.text[at] == ' ') ++at;
      if (at < in.text.size() && in.text[at] == '=') {
        ++at;
        if (is_function(out.name, argument.name))
          argument.values = {function(in, at)};
        else if (is_text(out.name, argument.name))
          argument.values = {text(in, at)};
        else
          argument.values = values(in, at);
      }
      out.arguments.push_back(std::move(argument));
    }
  }

  /// Does an argument begin here, with or without a value?
  static bool argument_follows(const std::string& text, std::size_t at) {
    while (at < text.size() && text[at] == ' ') ++at;
    if (at >= text.size() || !std::isalpha(static_cast<unsigned char>(text[at]))) return false;
    while (at < text.size() && is_word(text[at])) ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    return at >= text.size() || text[at] == '=' || text[at] == ',' || text[at] == continued;
  }

  static std::string function(const Joined& in, std::size_t& at) {
    std::string out;
    int depth = 0;
    for (; at < in.text.size(); ++at) {
      const char c = in.text[at];
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c == '\\') break;
      if (depth == 0 && c == ',') break;
      if (c == continued) {
        if (depth == 0 && argument_follows(in.text, at + 1)) break;
        out += joint_of_lines(out, std::string_view(in.text).substr(at + 1));
        continue;
      }
      out += c;
    }
    return strip(out);
  }

  /// Where a function goes on in the next line: the comma that says so, or that and one between two operands.
  static char joint_of_lines(std::string_view before, std::string_view behind) {
    // Looked at where they meet only: a function may go on for as many lines as there are.
    while (!before.empty() && tappet::is_space(before.back())) before.remove_suffix(1);
    while (!behind.empty() && tappet::is_space(behind.front())) behind.remove_prefix(1);
    const auto operand_ends = [](char c) { return is_word(c) || c == ')' || c == '.'; };
    const auto operand_begins = [](char c) { return is_word(c) || c == '(' || c == '.'; };
    return !before.empty() && !behind.empty() && operand_ends(before.back()) && operand_begins(behind.front())
               ? ','
               : ' ';
  }

  /// `, NAME =` follows: of what stands in a text, only that ends it within a line.
  static bool assignment_follows(const std::string& text, std::size_t at) {
    while (at < text.size() && text[at] == ' ') ++at;
    const std::size_t first = at;
    while (at < text.size() && is_word(text[at])) ++at;
    if (at == first) return false;
    while (at < text.size() && text[at] == ' ') ++at;
    return at < text.size() && text[at] == '=';
  }

  static std::string text(const Joined& in, std::size_t& at) {
    std::string out;
    for (; at < in.text.size() && in.text[at] != '\\'; ++at) {
      const char c = in.text[at];
      if (c == continued || (c == ',' && assignment_follows(in.text, at + 1))) break;
      out += c;
    }
    return strip(out);
  }

  /// Numbers and names up to the next argument: between commas or colons.
  static std::vector<std::string> values(const Joined& in, std::size_t& at) {
    std::vector<std::string> out(1);
    int depth = 0;
    for (; at < in.text.size() && in.text[at] != '\\'; ++at) {
      const char c = in.text[at];
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (depth == 0 && (c == ',' || c == continued || c == ':')) {
        if (c != ':' && argument_follows(in.text, at + 1)) break;
        // A comma at the end of a line and one at the beginning of the next are one.
        if (!strip(out.back()).empty()) out.emplace_back();
        continue;
      }
      out.back() += c;
    }
    for (std::string& value : out) value = strip(value);
    while (out.size() > 1 && out.back().empty()) out.pop_back();
    return out;
  }

  SourcePos file_;
  Diagnostics& diagnostics_;
  std::vector<Joined> joined_;
  std::size_t parts_ = 0;
  DataSet out_;
};

}  // namespace

std::string plain_id(const std::string& id) {
  const std::size_t first = id.find_first_not_of('0');
  return first == std::string::npos ? (id.empty() ? "" : "0") : id.substr(first);
}

std::optional<double> read_number(const std::string& text) {
  const std::string plain = strip(text);
  if (plain.empty()) return std::nullopt;
  // What strtod knows besides, such as "inf" and hexadecimal digits, Adams does not.
  if (plain.find_first_not_of("0123456789+-.eEdD ") != std::string::npos) return std::nullopt;
  std::string number = plain;
  number.erase(std::remove(number.begin(), number.end(), ' '), number.end());
  double factor = 1;
  if (number.back() == 'd' || number.back() == 'D') factor = std::numbers::pi / 180, number.pop_back();
  if (number.empty() || number.find_first_of("dD") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (*end || !std::isfinite(value)) return std::nullopt;
  return value * factor;
}

DataSet read_data_set(const std::string& text, const SourcePos& file, Diagnostics& diagnostics) {
  return Reader(text, file, diagnostics).read();
}

}  // namespace tappet::adams
