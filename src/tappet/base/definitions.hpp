// Names that a model file defines for its expressions: constants (`rise: 170 mm`) and functions (`lift(u):
// 16*u^2*(1-u)^2`).
//
// A definition may use those that were added before it, so that none can call itself; a file may write them in any order. Its value is in SI units,
// whatever unit stands behind it; its derivatives are exact like those of every expression.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tappet/base/defined_names.hpp"
#include "tappet/base/lookup_table.hpp"

namespace tappet {

class Definitions : public DefinedNames {
 public:
  /// `head` is "name" or "name(a, b)", `text` its expression with or without a unit.
  /// Throws ExpressionError or UnitError, sentences both.
  void add(std::string_view head, std::string_view text);

  /// A number that is set between steps, for the expressions that may use inputs and for the definitions that follow. `unit`: SI's own,
  /// or "". Throws ExpressionError or UnitError.
  void add_input(const std::string& name, const std::string& unit, double default_value);
  /// What has signals ("crank.angle"); `body`: names of contacts' places may be made of it.
  void add_owner(const std::string& name, bool body);
  /// A state of the model's own: its name stands for the signal "states.NAME". Throws ExpressionError.
  void add_state(const std::string& name);
  /// A function of one or two variables. Throws ExpressionError.
  void add_table(std::shared_ptr<const LookupTable> table);
  /// All tables, kept alive by who holds this.
  std::shared_ptr<const void> tables() const { return tables_; }
  /// Signals or states among these instructions.
  bool uses_signals(std::span<const ExpressionOp> ops) const;
  /// Where they are read. `alone_as`: the unit of what the expression stands for; nothing: any will do.
  void note_signals(std::span<const ExpressionOp> ops, const SourcePos& pos, const std::string& words,
                    Inputs where, const std::optional<std::string>& alone_as) const;

  /// An expression that is nothing but an input must be of the quantity that is asked for, and has its unit already. `unit`: what
  /// stands behind it. Throws ExpressionError or UnitError.
  void check_unit(std::span<const ExpressionOp> ops, const std::string& unit,
                  const std::string& si_unit) const;
  /// Inputs among these instructions are used from now on.
  void note_use(std::span<const ExpressionOp> ops) const;

 private:
  void check_new(const std::string& name, const char* what) const;
  std::shared_ptr<std::vector<std::shared_ptr<const LookupTable>>> tables_ =
      std::make_shared<std::vector<std::shared_ptr<const LookupTable>>>();
};

}  // namespace tappet
