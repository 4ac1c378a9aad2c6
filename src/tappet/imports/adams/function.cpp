// Adams' functions by the names that they have in a model file (base/expression_library.hpp), and its others [MscAdamsSolver]:
//
//   IF(a: b, c, d)                  b where a < 0, c where a = 0, d where a > 0
//   MOD(a, b)                       rem(a, b), which has the sign of a
//   AKISPL(x, 0, n), CUBSPL         the table that SPLINE/n becomes
#include "tappet/imports/adams/function.hpp"

#include <cctype>
#include <cstdlib>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "tappet/base/text.hpp"
#include "tappet/imports/adams/dataset.hpp"

namespace tappet::adams {
namespace {

/// IF says its argument twice, a variable stands for its function as often as it is named: a kilobyte can mean any length.
constexpr std::size_t most_characters = 1 << 17;

struct Call {
  std::string name;
  std::vector<std::string> x;  ///< arguments, translated, in parentheses
};

using Rule = std::string (*)(const Call&);

std::string renamed(const Call& c, const char* name) {
  std::string list;
  for (const std::string& one : c.x) list += (list.empty() ? "" : ", ") + one;
  return fmt::format("{}({})", name, list);
}

std::string choice(const Call& c) {
  return fmt::format("if({0} < 0, {1}, if({0} > 0, {3}, {2}))", c.x[0], c.x[1], c.x[2], c.x[3]);
}
struct Function {
  std::size_t least, most;
  Rule rule;
};

#define TAPPET_NAMED(NAME, OURS, LEAST, MOST)                     \
  {                                                               \
    NAME, {                                                       \
      LEAST, MOST, [](const Call& c) { return renamed(c, OURS); } \
    }                                                             \
  }
#define TAPPET_SAME(NAME, OURS) TAPPET_NAMED(NAME, OURS, 1, 1)

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all = {TAPPET_SAME("ABS", "abs"),
                                                      TAPPET_SAME("ACOS", "acos"),
                                                      TAPPET_SAME("ASIN", "asin"),
                                                      TAPPET_SAME("ATAN", "atan"),
                                                      TAPPET_SAME("COS", "cos"),
                                                      TAPPET_SAME("COSH", "cosh"),
                                                      TAPPET_SAME("EXP", "exp"),
                                                      TAPPET_SAME("LOG", "log"),
                                                      TAPPET_SAME("LOG10", "log10"),
                                                      TAPPET_SAME("SIN", "sin"),
                                                      TAPPET_SAME("SINH", "sinh"),
                                                      TAPPET_SAME("SQRT", "sqrt"),
                                                      TAPPET_SAME("TAN", "tan"),
                                                      TAPPET_SAME("TANH", "tanh"),
                                                      TAPPET_NAMED("AINT", "aint", 1, 1),
                                                      TAPPET_NAMED("ANINT", "anint", 1, 1),
                                                      TAPPET_NAMED("ATAN2", "atan2", 2, 2),
                                                      TAPPET_NAMED("DIM", "dim", 2, 2),
                                                      TAPPET_NAMED("MAX", "max", 2, 99),
                                                      TAPPET_NAMED("MIN", "min", 2, 99),
                                                      TAPPET_NAMED("MOD", "rem", 2, 2),
                                                      TAPPET_NAMED("SIGN", "sign", 2, 2),
                                                      TAPPET_NAMED("STEP", "step", 5, 5),
                                                      TAPPET_NAMED("STEP5", "step5", 5, 5),
                                                      TAPPET_NAMED("HAVSIN", "havsin", 5, 5),
                                                      TAPPET_NAMED("SHF", "shf", 5, 6),
                                                      TAPPET_NAMED("POLY", "poly", 3, 40),
                                                      TAPPET_NAMED("CHEBY", "cheby", 3, 40),
                                                      TAPPET_NAMED("FORCOS", "forcos", 4, 40),
                                                      TAPPET_NAMED("FORSIN", "forsin", 4, 40),
                                                      TAPPET_NAMED("IMPACT", "impact", 7, 7),
                                                      TAPPET_NAMED("BISTOP", "bistop", 8, 8),
                                                      {"IF", {4, 4, choice}}};
  return all;
}
#undef TAPPET_SAME
#undef TAPPET_NAMED

/// Functions whose arguments are names of elements, not expressions.
bool names_elements(const std::string& name) {
  return !functions().count(name);
}

constexpr int deepest = 200, deepest_operand = 2000;

/// How deep a function and those of its variables are nested.
struct Nesting {
  int sums = 0, operands = 0;
};

class Translator {
 public:
  Translator(const std::string& text, const FunctionContext& context, std::set<std::string> open,
             Nesting& nesting)
      : text_(text), context_(context), open_(std::move(open)), nesting_(nesting) {}

  std::string all() {
    const std::string out = sum();
    skip();
    if (at_ < text_.size()) fail(fmt::format("{} does not continue it", quote(text_.substr(at_))));
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Untranslatable(fmt::format("{}: {}", quote(text_), why));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char next() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool power_follows() {
    return next() == '^' || (next() == '*' && at_ + 1 < text_.size() && text_[at_ + 1] == '*');
  }

  void expect_bounded(const std::string& out) const {
    if (out.size() > most_characters)
      fail(fmt::format("written out it has more than {} characters", most_characters));
  }

  /// Counts while it lives; a function that is too deep ends the translation as a whole.
  struct Level {
    int& depth;
    Level(const Translator& of, int& counter, int most) : depth(counter) {
      if (++depth > most) of.fail(fmt::format("parentheses are nested more than {} deep", deepest));
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
  };

  // Signs stand before a whole product: -2**2 is −4 in both languages.
  std::string sum() {
    const Level level(*this, nesting_.sums, deepest);
    std::string out;
    if (take('-'))
      out = "-";
    else
      take('+');
    out += product();
    while (true) {
      if (take('+'))
        out += " + " + product();
      else if (take('-'))
        out += " - " + product();
      else
        break;
      expect_bounded(out);
    }
    return out;
  }

  std::string product() {
    std::string out = power();
    while (true) {
      if (power_follows()) fail("what '**' raises is not clear");
      if (take('*'))
        out += "*" + power();
      else if (take('/'))
        out += "/" + power();
      else
        return out;
      expect_bounded(out);
    }
  }

  std::string power() {
    const Level level(*this, nesting_.operands, deepest_operand);
    std::string out = operand();
    if (!power_follows()) return out;
    at_ += text_[at_] == '^' ? 1 : 2;
    if (take('-')) return fmt::format("{}^(-{})", out, power());
    take('+');
    return fmt::format("{}^{}", out, power());
  }

  std::string operand() {
    const Level level(*this, nesting_.operands, deepest_operand);
    if (take('(')) {
      const std::string inside = sum();
      if (!take(')')) fail("a closing parenthesis is missing");
      return "(" + inside + ")";
    }
    const char c = next();
    if (c == '-' || c == '+') {  // 2*-3, as some write
      ++at_;
      const std::string behind = operand();
      return c == '-' ? "(-" + behind + ")" : behind;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return word();
    fail(c == '\0' ? "it ends where a number is expected" : fmt::format("'{}' is not expected there", c));
  }

  std::string number() {
    const std::size_t from = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    const bool degrees =
        at_ < text_.size() && (text_[at_] == 'd' || text_[at_] == 'D') &&
        (at_ + 1 == text_.size() || !std::isalnum(static_cast<unsigned char>(text_[at_ + 1])));
    const std::string plain = text_.substr(from, at_ - from);
    const std::optional<double> value = read_number(plain);
    if (!value) fail(fmt::format("{} is not a number", quote(plain)));
    if (!degrees) return fmt::format("{}", *value);
    ++at_;
    return fmt::format("({}*pi/180)", *value);
  }

  std::string word() {
    std::string name;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_++])));
    if (next() != '(') {
      if (name == "TIME") return context_.time;
      if (name == "PI") return "pi";
      if (name == "RTOD") return "(180/pi)";
      if (name == "DTOR") return "(pi/180)";
      fail(fmt::format("{} is nothing that the model file knows", name));
    }
    take('(');
    if (name == "AKISPL" || name == "CUBSPL") return spline(name);
    return names_elements(name) ? measure(name) : call(name);
  }

  /// AKISPL(x, z, id[, order of the derivative]).
  std::string spline(const std::string& name) {
    const std::string x = sum();
    if (take(',')) sum();  // what a SPLINE of one variable does not ask for
    const std::string id = take(',') ? plain_id(sum()) : "";
    const std::string order = take(',') ? sum() : "0";
    if (!take(')') || id.empty()) fail(fmt::format("{} takes x, z and the number of a SPLINE", name));
    if (order != "0") fail(fmt::format("derivatives by {} are not translated", name));
    if (!context_.spline) fail(fmt::format("{} cannot be used here", name));
    return fmt::format("{}({})", context_.spline(id, name == "AKISPL"), x);
  }

  std::string call(const std::string& name) {
    Call out{name, {}};
    do {
      const std::string x = sum();
      out.x.push_back(is_plain(x) ? x : "(" + x + ")");
    } while (take(',') || (name == "IF" && out.x.size() == 1 && take(':')));
    if (!take(')')) fail(fmt::format("the closing parenthesis of {} is missing", name));
    const Function& f = functions().at(name);
    if (out.x.size() < f.least || out.x.size() > f.most)
      fail(fmt::format("{} takes {} arguments, not {}", name,
                       f.least == f.most ? fmt::format("{}", f.least) : fmt::format("at least {}", f.least),
                       out.x.size()));
    std::string said = f.rule(out);
    expect_bounded(said);
    return said;
  }

  static bool is_plain(const std::string& x) {
    for (char c : x)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') return false;
    return true;
  }

  std::string measure(const std::string& name) {
    std::vector<std::string> ids(1);
    int depth = 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) break;
      if (depth == 1 && c == ',')
        ids.emplace_back();
      else
        ids.back() += c;
    }
    if (!take(')')) fail(fmt::format("the closing parenthesis of {} is missing", name));
    for (std::string& id : ids) id = plain_id(std::string(trimmed(id)));
    if (name == "VARVAL" && context_.variables) return variable(ids.front());
    if (name == "DIF1" && context_.rates) return rate(ids.front());
    if (name == "ARYVAL" && context_.arrays) return component(ids);
    if (!context_.measures) fail(fmt::format("{} cannot be used here: only TIME can", name));
    return context_.measures(name, ids);
  }

  /// ARYVAL(id, k): the kth component of an ARRAY.
  std::string component(const std::vector<std::string>& ids) {
    const auto found = context_.arrays->find(ids.front());
    if (found == context_.arrays->end())
      fail(fmt::format("there is no ARRAY/{} of numbers, variables or outputs", ids.front()));
    const int k = ids.size() == 2 ? std::atoi(ids[1].c_str()) : 0;
    if (k < 1 || k > static_cast<int>(found->second.size()))
      fail(fmt::format("ARRAY/{} has components 1 to {}", ids.front(), found->second.size()));
    return inserted(found->second[static_cast<std::size_t>(k - 1)], fmt::format("ARRAY/{}", ids.front()));
  }

  std::string variable(const std::string& id) {
    const auto found = context_.variables->find(id);
    if (found == context_.variables->end()) fail(fmt::format("there is no VARIABLE/{}", id));
    return inserted(found->second, fmt::format("VARIABLE/{}", id));
  }

  std::string rate(const std::string& id) {
    const auto found = context_.rates->find(id);
    if (found == context_.rates->end()) fail(fmt::format("there is no DIFF/{}", id));
    return inserted(found->second, fmt::format("DIFF/{}", id));
  }

  /// Another element's function in place of its name.
  std::string inserted(const std::string& function, const std::string& whose) {
    if (open_.count(whose)) fail(fmt::format("{} depends on itself", whose));
    std::set<std::string> open = open_;
    open.insert(whose);
    std::string said = "(" + Translator(function, context_, std::move(open), nesting_).all() + ")";
    expect_bounded(said);
    return said;
  }

  const std::string& text_;
  const FunctionContext& context_;
  std::set<std::string> open_;  ///< elements whose functions this one stands in
  Nesting& nesting_;
  std::size_t at_ = 0;
};

}  // namespace

std::string translate(const std::string& function, const FunctionContext& context) {
  Nesting nesting;
  return Translator(function, context, {}, nesting).all();
}

std::vector<std::string> translated_functions() {
  std::vector<std::string> out;
  for (const auto& [name, f] : functions()) out.push_back(name);
  return out;
}

}  // namespace tappet::adams
