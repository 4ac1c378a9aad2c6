// Reads an expression by recursive descent straight into postfix form.
//
//   comparison := sum [("<" | ">" | "<=" | ">=" | "==" | "!=") sum]
//   sum        := product {("+" | "-") product}
//   product    := unary {("*" | "/") unary}
//   unary      := {"+" | "-"} power
//   power      := primary ["^" unary]
//   primary    := NUMBER | NAME | FUNCTION "(" comparison {"," comparison} ")" | "(" comparison ")"
//
// After a complete comparison nothing but an operator could continue: what stands there instead is the unit.
#include "tappet/base/expression_parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression_code.hpp"
#include "tappet/base/expression_library.hpp"
#include "tappet/base/text.hpp"

namespace tappet {

namespace {

namespace ops = expression_ops;
using Op = ExpressionOp;

constexpr std::size_t longest_text = 10000;
constexpr int deepest_nesting = 200;
constexpr std::size_t most_instructions = 20000;

struct Function {
  const char* name;
  ops::Code code;
  int arguments;
  bool or_more = false;
};

constexpr Function functions[] = {
    {"sin", ops::sin, 1},       {"cos", ops::cos, 1},       {"tan", ops::tan, 1},     {"asin", ops::asin, 1},
    {"acos", ops::acos, 1},     {"atan", ops::atan, 1},     {"atan2", ops::atan2, 2}, {"sinh", ops::sinh, 1},
    {"cosh", ops::cosh, 1},     {"tanh", ops::tanh, 1},     {"exp", ops::exp, 1},     {"log", ops::log, 1},
    {"log10", ops::log10, 1},   {"sqrt", ops::sqrt, 1},     {"abs", ops::abs, 1},     {"sign", ops::sign, 1},
    {"min", ops::min, 2, true}, {"max", ops::max, 2, true}, {"floor", ops::floor, 1}, {"mod", ops::mod, 2},
    {"if", ops::choose, 3},     {"step", ops::step, 5},
};

const Function* find_function(std::string_view name) {
  for (const Function& function : functions)
    if (name == function.name) return &function;
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions) names.push_back(function.name);
  return names;
}

std::vector<Op> body_of(std::string_view text, const std::vector<std::string>& parameters,
                        const DefinedNames& earlier) {
  return parse_definition(text, parameters, earlier).ops;
}

class Parser {
 public:
  /// `names`: variables, or the parameters of a definition, which lie at the bottom of the stack.
  Parser(std::string_view text, const std::vector<std::string>& names, const DefinedNames* definitions,
         bool in_definition, Inputs inputs)
      : text_(text),
        variables_(names),
        definitions_(definitions),
        in_definition_(in_definition),
        inputs_(inputs),
        code_(in_definition ? static_cast<int>(names.size()) : 0) {}

  ParsedExpression parse() {
    if (text_.size() > longest_text)
      throw ExpressionError(fmt::format("the expression is longer than {} characters", longest_text), 0);
    skip_spaces();
    if (at_end()) fail("a number or an expression is expected, but nothing is given");
    comparison();
    skip_spaces();
    if (!at_end() && !unit_may_begin()) fail_unexpected();
    return {code_.take_ops(), code_.stack_depth(), at_};
  }

 private:
  // --- Text

  bool at_end() const { return at_ >= text_.size(); }
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  /// A name, a sign such as % or °, or the 1 of "1/s".
  bool unit_may_begin() const {
    const char c = next();
    if (is_letter(c) || c == '%' || static_cast<unsigned char>(c) >= 0x80) return true;
    if (c != '1') return false;
    std::size_t ahead = 1;
    while (is_space(next(ahead))) ++ahead;
    return next(ahead) == '/';
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw ExpressionError(message, static_cast<int>(at_));
  }

  [[noreturn]] void fail_unexpected() const {
    const std::string whole = quote(std::string(text_));
    if (at_end()) fail(fmt::format("{} ends where a number, a name or '(' is expected", whole));
    fail(fmt::format("unexpected '{}' in {}", next_character(), whole));
  }

  /// All bytes of the next character.
  std::string next_character() const {
    std::size_t size = 1;
    while ((static_cast<unsigned char>(next(size)) & 0xC0) == 0x80) ++size;
    return std::string(text_.substr(at_, size));
  }

  /// Guards the recursion: every way to nest passes through one of these.
  struct Level {
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.level_ > deepest_nesting)
        parser_.fail(fmt::format("the expression is nested deeper than {} levels", deepest_nesting));
    }
    ~Level() { --parser_.level_; }
    Parser& parser_;
  };

  // --- Grammar

  void comparison() {
    const Level level(*this);
    sum();
    static constexpr std::pair<const char*, ops::Code> signs[] = {
        {"<=", ops::less_equal}, {">=", ops::greater_equal}, {"==", ops::equal},
        {"!=", ops::not_equal},  {"<", ops::less},           {">", ops::greater}};
    for (const auto& [sign, code] : signs)
      if (take(sign)) {
        sum();
        emit({code});
        skip_spaces();
        if (next() == '<' || next() == '>' || next() == '=' || next() == '!')
          fail(fmt::format("comparisons cannot be chained in {}", quote(std::string(text_))));
        return;
      }
  }

  void sum() {
    product();
    for (;;) {
      if (take("+")) {
        product();
        emit({ops::add});
      } else if (take("-")) {
        product();
        emit({ops::subtract});
      } else {
        return;
      }
    }
  }

  void product() {
    unary();
    for (;;) {
      if (take("*")) {
        unary();
        emit({ops::multiply});
      } else if (take("/")) {
        unary();
        emit({ops::divide});
      } else {
        return;
      }
    }
  }

  void unary() {
    bool negative = false;
    for (;;) {
      if (take("-"))
        negative = !negative;
      else if (!take("+"))
        break;
    }
    power();
    if (negative) emit({ops::negate});
  }

  void power() {
    const Level level(*this);
    primary();
    if (take("^")) {
      unary();
      emit({ops::power});
    }
  }

  void primary() {
    skip_spaces();
    if (take("(")) {
      comparison();
      if (!take(")")) fail_missing_parenthesis();
    } else if (is_digit(next()) || (next() == '.' && is_digit(next(1)))) {
      number();
    } else if (is_letter(next())) {
      name();
    } else {
      fail_unexpected();
    }
  }

  [[noreturn]] void fail_missing_parenthesis() {
    skip_spaces();
    if (at_end()) fail(fmt::format("')' is missing in {}", quote(std::string(text_))));
    fail(fmt::format("unexpected '{}' in {}, where an operator or ')' is expected", next_character(),
                     quote(std::string(text_))));
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (fault != std::errc())
      fail(fmt::format("{} cannot be held by a double-precision number", quote(std::string(begin, end))));
    at_ += end - begin;
    if (next() == '_') fail(fmt::format("digits cannot be grouped by '_' in {}", quote(std::string(text_))));
    emit({ops::number, 0, value});
  }

  void name() {
    const std::size_t begin = at_;
    if (signal()) return;
    while (is_letter(next()) || is_digit(next())) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));

    const auto known = std::find(variables_.begin(), variables_.end(), name);
    if (known != variables_.end()) {
      if (!in_definition_ && definitions_ && definitions_->find_input(name)) {
        at_ = begin;
        fail(fmt::format("'{}' is a variable here and the name of an input; give the input another name",
                         name));
      }
      emit({in_definition_ ? ops::parameter : ops::variable,
            static_cast<std::uint16_t>(known - variables_.begin())});
    } else if (name == "pi") {
      emit({ops::number, 0, std::numbers::pi});
    } else if (name == "e") {
      emit({ops::number, 0, std::numbers::e});
    } else {
      skip_spaces();
      const bool call = next() == '(';
      if (const auto* defined = definitions_ ? definitions_->find(name) : nullptr)
        return definition(name, *defined);
      const Function* function = find_function(name);
      if (function && call) return arguments(*function);
      if (call && in_library(name)) return library(name);
      at_ = begin;
      if (function) fail(fmt::format("the function '{}' needs its arguments in parentheses", name));
      fail_unknown(name, call);
    }
  }

  [[noreturn]] void fail_unknown(const std::string& name, bool call) const {
    if (name == "inf" || name == "nan" || name == "infinity")
      fail(fmt::format("'{}' is not a finite number", name));
    const auto with_hint = [&](const std::vector<std::string>& candidates) {
      const std::string nearest = nearest_name(name, candidates);
      return nearest.empty() ? std::string() : fmt::format("did you mean '{}'? ", nearest);
    };
    const std::vector<std::string> defined =
        definitions_ ? definitions_->names() : std::vector<std::string>();
    std::vector<std::string> known_functions = function_names();
    for (const std::string& each : library_names()) known_functions.push_back(each);
    known_functions.insert(known_functions.end(), defined.begin(), defined.end());
    if (call)
      fail(fmt::format("unknown function {}; {}known: {}", quote(name), with_hint(known_functions),
                       join_names(known_functions)));
    // "5/s" is a quotient by something called s.
    if (at_ > 0 && text_.substr(0, at_).find_last_not_of(' ') == text_.substr(0, at_).rfind('/') &&
        variables_.empty())
      fail(fmt::format("unknown name {} in {}; a unit 'per {}' stands behind a space, as in '5 1/{}'",
                       quote(name), quote(std::string(text_)), name, name));
    if (variables_.empty() && defined.empty())
      fail(fmt::format("unknown name {} in {}; only numbers, pi and e may be used here", quote(name),
                       quote(std::string(text_))));
    std::vector<std::string> known = variables_;
    known.insert(known.end(), {"pi", "e"});
    known.insert(known.end(), defined.begin(), defined.end());
    fail(fmt::format("unknown name {} in {}; {}known: {}", quote(name), quote(std::string(text_)),
                     with_hint(known), join_names(known)));
  }

  /// A name of the model's own.
  void definition(const std::string& name, const DefinedNames::Entry& entry) {
    const std::size_t begin = at_;
    int count = 0;
    if (next() == '(') {
      take("(");
      if (!take(")")) {
        do {
          comparison();
          ++count;
        } while (take(","));
        if (!take(")")) fail_missing_parenthesis();
      }
    }
    if (count != entry.parameters) {
      at_ = begin;
      fail(fmt::format("'{}' takes {} argument{}, not {}", name, entry.parameters,
                       entry.parameters == 1 ? "" : "s", count));
    }
    for (const Op& op : entry.ops)
      if (op.code == ops::input) check_read(op.argument, name, begin);
    code_.call(entry);
    check_size();
  }

  /// What changes while the model runs stands where it may: an input or a signal, as it is called or in a definition of this name.
  void check_read(int argument, const std::string& in, std::size_t begin) {
    const std::string name = definitions_->name_of_read(argument);
    const bool input = argument < static_cast<int>(definitions_->inputs().size());
    const bool state = name.starts_with("states.");
    if (inputs_ != Inputs::refused && (input || inputs_ != Inputs::alone)) return;
    at_ = begin;
    const bool itself = in == name || (state && in == name.substr(7));
    const std::string words = itself ? quote(in) : fmt::format("{}, in {},", quote(name), quote(in));
    if (input)
      fail(
          fmt::format("{} is an input, which changes while the model runs; forces, speeds and "
                      "accelerations of motions and the `force` of a normal law may use inputs",
                      words));
    fail(
        fmt::format("{} is a {}, which changes while the model runs; forces, speeds and accelerations of "
                    "motions, the `force` of a normal law, rates of `states` and events may use them{}",
                    words, state ? "state" : "signal",
                    inputs_ == Inputs::alone ? "; loads and springs of structures may use inputs" : ""));
  }

  /// "crank.angle", "left-wheel.omega", "bounce.ball-floor.gap": the longest name of something that has signals, a dot, and what
  /// follows. False: it is none, and nothing was read.
  bool signal() {
    if (!definitions_) return false;
    const std::size_t begin = at_;
    const auto run = [&](std::size_t from, bool hyphens) {
      std::size_t end = from;
      while (end < text_.size() &&
             (is_letter(text_[end]) || is_digit(text_[end]) || (hyphens && text_[end] == '-')))
        ++end;
      return end;
    };
    const auto dot_follows = [&](std::size_t end) {
      return end + 1 < text_.size() && text_[end] == '.' &&
             (is_letter(text_[end + 1]) || is_digit(text_[end + 1]));
    };
    std::size_t end = run(begin, true);
    while (end > begin &&
           !(dot_follows(end) && definitions_->has_signals(std::string(text_.substr(begin, end - begin)))))
      --end;
    if (end == begin) {
      if (end = run(begin, false); !dot_follows(end)) return false;
      const std::vector<std::string> owners(definitions_->owners().begin(), definitions_->owners().end());
      const std::string owner(text_.substr(begin, end - begin)), near = nearest_name(owner, owners);
      fail(fmt::format("there is no signal {}: nothing is called '{}'{}",
                       quote(std::string(text_.substr(begin, run(end + 1, false) - begin))), owner,
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    while (dot_follows(end)) {
      const std::size_t from = end + 1;
      end = run(from, false);
      // Two bodies between which there is a contact.
      for (std::size_t both = run(from, true); both > end; --both) {
        const std::string_view part = text_.substr(from, both - from);
        bool bodies = false;
        for (std::size_t at = part.find('-'); at != part.npos && !bodies; at = part.find('-', at + 1))
          bodies = definitions_->is_body(std::string(part.substr(0, at))) &&
                   definitions_->is_body(std::string(part.substr(at + 1)));
        if (bodies) end = both;
      }
    }
    const std::string name(text_.substr(begin, end - begin));
    at_ = end;
    if (inputs_ == Inputs::refused || inputs_ == Inputs::alone) {
      const auto input = name.starts_with("inputs.") ? definitions_->find_input(name.substr(7)) : nullptr;
      check_read(input ? static_cast<int>(input - definitions_->inputs().data()) : definitions_->signal(name),
                 name, begin);
    }
    if (name.starts_with("inputs."))  // the same as the input itself
      if (const auto* entry = definitions_->find(name.substr(7));
          entry && definitions_->find_input(name.substr(7))) {
        code_.call(*entry);
        return true;
      }
    emit({ops::input, static_cast<std::uint16_t>(definitions_->signal(name))});
    return true;
  }

  /// A function of the library, whose arguments decide what it is.
  void library(const std::string& name) {
    const std::size_t begin = at_;
    const int count = list_of_arguments();
    call_library(name, count, begin);
  }

  int list_of_arguments() {
    take("(");
    int count = 0;
    if (take(")")) return count;
    do {
      comparison();
      ++count;
    } while (take(","));
    if (!take(")")) fail_missing_parenthesis();
    return count;
  }

  void call_library(const std::string& name, int count, std::size_t begin) {
    const auto entry = library_entry(name, count, body_of);
    if (!entry) {
      at_ = begin;
      fail(fmt::format("'{}' takes {}, not {}", name, library_arguments(name), count));
    }
    if (name == "step5" || name == "havsin") check_step(name.c_str());
    code_.call(*entry);
    check_size();
  }

  void arguments(const Function& function) {
    const std::size_t begin = at_;
    take("(");
    int count = 0;
    if (!take(")")) {
      do {
        comparison();
        ++count;
        // min(a, b, c) is min(min(a, b), c).
        if (function.or_more && count > 1) emit({function.code});
      } while (take(","));
      if (!take(")")) fail_missing_parenthesis();
    }
    if (count != function.arguments && !function.or_more && library_entry(function.name, count, body_of))
      return call_library(function.name, count, begin);
    if (count < function.arguments || (count > function.arguments && !function.or_more)) {
      at_ = begin;
      fail(fmt::format("'{}' takes {}{} argument{}, not {}", function.name, function.arguments,
                       function.or_more ? " or more" : "", function.arguments == 1 ? "" : "s", count));
    }
    if (function.or_more) return;
    if (function.code == ops::step) check_step("step");
    emit({function.code});
  }

  /// step(x, x0, h0, x1, h1) with constant bounds in the wrong order is a mistake that can be seen now.
  void check_step(const char* name) const {
    const auto& code = code_.ops();
    if (code.size() < 5) return;
    const Op* last = code.data() + code.size();
    for (int i = 1; i <= 4; ++i)
      if (last[-i].code != ops::number) return;
    const double x0 = last[-4].number, x1 = last[-2].number;
    if (!(x0 < x1)) fail(fmt::format("{}(x, x0, h0, x1, h1) needs x0 < x1, not {} and {}", name, x0, x1));
  }

  // --- Code

  void emit(const Op& op) {
    code_.emit(op);
    check_size();
  }

  void check_size() const {
    if (code_.stack_depth() > ops::max_stack) fail("the expression is nested too deeply");
    if (code_.ops().size() > most_instructions)
      fail(fmt::format("the expression and the definitions that it uses take more than {} operations",
                       most_instructions));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  const DefinedNames* definitions_;
  bool in_definition_ = false;
  Inputs inputs_ = Inputs::refused;
  std::size_t at_ = 0;
  int level_ = 0;
  ExpressionCode code_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, const std::vector<std::string>& variables,
                                  const DefinedNames* definitions, Inputs inputs) {
  return Parser(text, variables, definitions, false, inputs).parse();
}

ParsedExpression parse_definition(std::string_view text, const std::vector<std::string>& parameters,
                                  const DefinedNames& earlier) {
  return Parser(text, parameters, &earlier, true, Inputs::all).parse();
}

bool is_builtin_name(std::string_view name) {
  return name == "pi" || name == "e" || find_function(name);
}

}  // namespace tappet
