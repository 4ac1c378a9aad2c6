// A mapping of the model file that has been checked against its table: typed, in SI, defaults filled in.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/base/table.hpp"
#include "tappet/spec/value.hpp"

namespace tappet {

class Object;

struct Name {
  std::string text;
  SourcePos pos;
};

/// What reading needs to know besides the table.
struct ReadContext {
  Dimension dimension = Dimension::planar;
  Diagnostics* diagnostics = nullptr;
  std::shared_ptr<const Definitions> definitions = nullptr;  ///< names of the section `define`
};

/// Checked values of one mapping. Accessors assert that the parameter is there: ask has() for optional ones.
class Object {
 public:
  std::string name;  ///< the mapping's own key, such as the joint's name; "" for sections
  std::string type;  ///< the member of the family, "" if the table has no family
  SourcePos pos;     ///< of the mapping
  SourcePos name_pos;
  std::shared_ptr<const Definitions>
      definitions;                 ///< for expressions that are read later, by who knows their variables
  const Table* table = nullptr;    ///< what it was read by: this,
  const Family* family = nullptr;  ///< or the member `type` of this

  /// The struct that its table maps onto, filled in. A mapping without such a struct is handed on as it is: an Object.
  AnyParameters parameters() const;

  bool has(const std::string& key) const;    ///< given in the file or by default
  bool given(const std::string& key) const;  ///< written in the file
  SourcePos where(const std::string& key) const;

  double number(const std::string& key) const;
  double number_or(const std::string& key, double otherwise) const;
  int integer(const std::string& key) const;
  bool boolean(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  const std::vector<Name>& names(const std::string& key) const;
  const Expression& expression(const std::string& key) const;
  const std::vector<double>& vector(const std::string& key) const;
  const std::vector<Expression>& expressions(const std::string& key) const;
  const std::vector<std::vector<double>>& points(const std::string& key) const;
  const Object& object(const std::string& key) const;
  const std::vector<Object>& objects(const std::string& key) const;

  /// One stored value; which member holds it follows from the parameter's kind.
  struct Entry {
    SourcePos pos;
    bool given = false;
    double number = 0;
    std::string text;
    std::vector<Name> names;
    std::vector<Expression> expressions;
    std::vector<double> vector;
    std::vector<std::vector<double>> points;
    std::vector<Object> objects;
  };
  void put(const std::string& key, Entry entry) { entries_[key] = std::move(entry); }

 private:
  const Entry& entry(const std::string& key) const;
  std::map<std::string, Entry> entries_;
};

std::vector<AnyParameters> parameters_of(const std::vector<Object>& objects);

/// Reads `value` by `table` (or `family`). Every fault is added to the context's diagnostics; what could be read is returned.
Object read_object(const Value& value, const Table& table, const ReadContext& context);
Object read_object(const Value& value, const Family& family, const ReadContext& context);

}  // namespace tappet
