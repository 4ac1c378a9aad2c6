#include "tappet/base/diagnostics.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

namespace tappet {

namespace {

/// A file with a million faults is one mistake, not a million: the rest is only counted.
constexpr int kept_errors = 200;
constexpr std::size_t kept_diagnostics = 400;

std::string joined_texts(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += '\n';
    out += diagnostic.text();
  }
  return out;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t n = a.size(), m = b.size();
  // Three rows of the usual table are enough: a swap looks two rows back.
  std::vector<int> before(m + 1), previous(m + 1), current(m + 1);
  std::iota(previous.begin(), previous.end(), 0);
  for (std::size_t i = 1; i <= n; ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= m; ++j) {
      const int substitute = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitute});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[m];
}

}  // namespace

std::string Diagnostic::text() const {
  std::string out;
  if (pos.file) {
    out += *pos.file;
    if (pos.line > 0) {
      out += fmt::format(":{}", pos.line);
      if (pos.column > 0) out += fmt::format(":{}", pos.column);
    }
    out += ": ";
  }
  out += severity == Severity::error ? "error: " : "warning: ";
  return out + message;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined_texts(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::error(SourcePos pos, std::string message) {
  ++errors_;
  if (errors_ <= kept_errors) all_.push_back({Severity::error, std::move(pos), std::move(message)});
}

bool Diagnostics::full() const {
  return errors_ >= kept_errors;
}

void Diagnostics::warning(SourcePos pos, std::string message) {
  if (all_.size() < kept_diagnostics) all_.push_back({Severity::warning, std::move(pos), std::move(message)});
}

void Diagnostics::throw_if_errors() const {
  if (errors_ == 0) return;
  std::vector<Diagnostic> found = all_;
  if (errors_ > kept_errors) {
    SourcePos whole_file = all_.back().pos;
    whole_file.line = whole_file.column = 0;
    found.push_back({Severity::error, whole_file, fmt::format("{} more errors", errors_ - kept_errors)});
  }
  throw InputError(std::move(found));
}

std::string nearest_name(const std::string& given, const std::vector<std::string>& candidates) {
  // A slip of the keyboard changes about one letter in three at most, of five two; a different case changes none.
  constexpr std::size_t longest = 64;
  if (given.empty() || given.size() > longest) return "";
  const int allowed = std::max(given.size() >= 3 ? 1 : 0, static_cast<int>(given.size() + 1) / 3);
  std::string nearest;
  int smallest = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 2 * longest) continue;
    const int distance = edit_distance(lower_case(given), lower_case(candidate));
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string join_names(const std::vector<std::string>& names, int limit) {
  const int count = static_cast<int>(names.size());
  const int shown = std::min(count, std::max(limit, 1));
  std::string out;
  for (int i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == count ? " and " : ", ";
    out += names[i];
  }
  if (shown < count) out += fmt::format(" and {} more", count - shown);
  return out;
}

std::string quote(const std::string& text) {
  // Cut at a character's first byte, so that what is printed stays UTF-8.
  constexpr std::size_t longest = 60;
  std::size_t end = std::min(text.size(), longest);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string out = "'";
  for (std::size_t i = 0; i < end; ++i) {
    const unsigned char c = text[i];
    out += c < 0x20 || c == 0x7F ? ' ' : text[i];
  }
  return out + (end < text.size() ? "...'" : "'");
}

bool matches(const std::string& pattern, const std::string& name) {
  // Greedy match with one place to return to, the last star.
  std::size_t p = 0, n = 0, star = std::string::npos, mark = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tappet
