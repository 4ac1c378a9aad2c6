// Errors and warnings that know where in the user's input they come from.
//
// Every user-facing failure is one sentence of the form
//   file:line:column: error: what is wrong, the value given, what is allowed
// Several are collected in one run; nothing is computed when one of them is an error.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tappet {

/// A place in the user's input. `line` and `column` count from 1; 0 means "the whole file".
struct SourcePos {
  std::shared_ptr<const std::string> file;  ///< null: no place is known (then only the message is printed)
  int line = 0;
  int column = 0;
};

enum class Severity { warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  SourcePos pos;
  std::string message;

  /// "file:line:column: error: message", leaving out what is not known.
  std::string text() const;
};

/// Thrown when input cannot be used; carries every diagnostic found, not just the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Thrown when a simulation cannot go on; what was computed before `time` is kept.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(double time, const std::string& reason) : std::runtime_error(reason), time_(time) {}
  double time() const { return time_; }

 private:
  double time_;
};

/// Collects diagnostics while input is read, so that one run reports them all.
class Diagnostics {
 public:
  void error(SourcePos pos, std::string message);
  void warning(SourcePos pos, std::string message);
  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  /// Further errors are only counted: their messages need not be made.
  bool full() const;
  const std::vector<Diagnostic>& all() const { return all_; }
  /// Throws InputError with everything collected if there is at least one error.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

/// The candidate closest to `given` by edit distance, or "" when none is near enough to be a typing mistake.
std::string nearest_name(const std::string& given, const std::vector<std::string>& candidates);
/// Whether `name` matches the pattern, * standing for any text.
bool matches(const std::string& pattern, const std::string& name);

/// "a, b and c" (at most `limit` names, then "and N more").
std::string join_names(const std::vector<std::string>& names, int limit = 40);

/// The text in single quotes for a message: one line, cut when it is long.
std::string quote(const std::string& text);

}  // namespace tappet
