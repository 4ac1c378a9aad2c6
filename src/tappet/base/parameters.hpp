// Parameters as plain structs: what a program fills in and what a mapping of a model file is read into.
//
// A kind of element has a struct of its own, for example
//     struct HookeParameters { double stiffness = not_given; double damping = 0; … };
// and a table whose rows name its members,
//     table_of<HookeParameters>("a hooke law", "Linear spring and damper",
//                               {{&HookeParameters::stiffness, {.name = "stiffness", .unit = "N/m", …}}, …}).
// The row is the only place that says the member's name in a file, its unit, its range and its help. The file's reader, the
// checks of a struct that a program filled in, the schema, `tappet laws` and the Python keywords all come from it.
//
// Numbers are in SI. What is absent is an empty std::optional, an empty text or NaN (`not_given`).
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/expression.hpp"
#include "tappet/base/table.hpp"
#include "tappet/base/vectors.hpp"

namespace tappet {

/// A number or a vector that must be given.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();
inline const Vec3 no_vector = Vec3::Constant(not_given);

/// A number or an expression. A program writes it as a file does, "3*sin(10*t) N"; elements use what it was compiled to.
struct Formula {
  std::string text;
  Expression compiled;

  Formula() = default;
  Formula(double number);
  Formula(int number) : Formula(static_cast<double>(number)) {}  // 0 is a number, not a null pointer
  Formula(const char* text) : text(text) {}
  Formula(std::string text) : text(std::move(text)) {}
  Formula(const Expression& expression) : text(expression.text()), compiled(expression) {}
};

/// Where parameters were written, for messages: in a mapping of a file, or nowhere but under a name.
struct Origin {
  std::string name;         ///< the element's own, such as the joint's; "" for sections
  std::string type;         ///< member of its family, "revolute"; "" if there is none
  SourcePos pos, name_pos;  ///< of the mapping; of its name
  std::shared_ptr<const Definitions> definitions = nullptr;  ///< for texts that are read as expressions later

  struct ValuePlace {
    SourcePos pos;
    std::vector<SourcePos> items;  ///< of a list of names
    bool given = false;            ///< by the user, not by default
  };
  std::map<std::string, ValuePlace> places = {};

  bool given(const std::string& key) const;
  /// Of a key, and of one of its items; else of the whole mapping.
  SourcePos where(const std::string& key) const;
  SourcePos where(const std::string& key, std::size_t item) const;
};

struct StructType;
struct ParameterValue;

/// Some kind's parameters; which kind is known where they are used.
class AnyParameters {
 public:
  AnyParameters() = default;  ///< none
  /// Of any kind's struct.
  template <class P>
  requires(std::is_aggregate_v<P>&& std::is_class_v<P>) AnyParameters(P parameters)
      : type_(&typeid(P)), value_(std::make_shared<const P>(std::move(parameters))) {}
  /// A struct that is known by its type alone.
  AnyParameters(std::shared_ptr<const StructType> maps, std::shared_ptr<const void> value, Origin origin);

  explicit operator bool() const { return value_ != nullptr; }
  std::type_index type() const { return *type_; }
  template <class P>
  const P& as() const {
    if (!value_ || *type_ != typeid(P)) refuse(typeid(P).name());
    return *static_cast<const P*>(value_.get());
  }

  /// By row, whatever the struct. Nothing: absent.
  std::optional<ParameterValue> get(const std::string& key) const;
  bool has(const std::string& key) const;
  double number(const std::string& key) const;  ///< NaN: absent
  void set(const std::string& key, const ParameterValue& value);
  void set(const std::string& key, double number);

  Origin origin;

 private:
  [[noreturn]] void refuse(const char* wanted) const;
  std::shared_ptr<const StructType> struct_type() const;

  const std::type_info* type_ = &typeid(void);
  std::shared_ptr<const void> value_;
  std::shared_ptr<const StructType> maps_;  ///< null: whatever is announced for the type
};

/// Mappings by name, in order: the shapes of a body.
using NamedParameters = std::vector<std::pair<std::string, AnyParameters>>;
/// Numbers by name, in order.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// A value between a file and a struct. Which part holds it follows from the row's kind.
struct ParameterValue {
  double number = 0;                        ///< number, integer, boolean
  std::string text;                         ///< text, choice, name
  std::vector<std::string> names;           ///< names, numbers
  std::vector<double> vector;               ///< vector, numbers, inertia, orientation, spin
  std::vector<std::vector<double>> points;  ///< points, matrix
  std::vector<Formula> formulas;            ///< expression, expressions
  NamedParameters parts;                    ///< object (one), objects
};

/// How the rows of a table are kept in a struct.
struct StructType {
  struct Member {
    std::string name;
    std::function<void(void*, const ParameterValue&)> set;
    std::function<std::optional<ParameterValue>(const void*)> get;  ///< nothing: absent
  };
  const std::type_info* type = &typeid(void);
  std::shared_ptr<void> (*copy)(const void*) = nullptr;  ///< of null: one with its defaults
  std::vector<Member> members;

  const Member* find(const std::string& name) const;
};

/// Announces which table maps onto a struct, so that AnyParameters can be made from one.
void register_struct(const std::shared_ptr<const StructType>& type);
std::shared_ptr<const StructType> find_struct(std::type_index type);  ///< null: nobody announced it

// ---- members and values: one pair of functions for each type of member

namespace parameters {

inline void put(const ParameterValue& v, double& m) {
  m = v.number;
}
inline void put(const ParameterValue& v, int& m) {
  m = static_cast<int>(std::lround(v.number));
}
inline void put(const ParameterValue& v, bool& m) {
  m = v.number != 0;
}
inline void put(const ParameterValue& v, std::string& m) {
  m = v.text;
}
inline void put(const ParameterValue& v, Formula& m) {
  m = v.formulas.at(0);
}
inline void put(const ParameterValue& v, std::vector<Formula>& m) {
  m = v.formulas;
}
inline void put(const ParameterValue& v, std::vector<std::string>& m) {
  m = v.names;
}
inline void put(const ParameterValue& v, std::vector<double>& m) {
  m = v.vector;
}
inline void put(const ParameterValue& v, std::vector<std::vector<double>>& m) {
  m = v.points;
}
inline void put(const ParameterValue& v, NamedParameters& m) {
  m = v.parts;
}
inline void put(const ParameterValue& v, AnyParameters& m) {
  m = v.parts.at(0).second;
}
void put(const ParameterValue& v, NamedNumbers& m);
void put(const ParameterValue& v, Vec3& m);  ///< of two numbers: in the plane; of one: about z
void put(const ParameterValue& v, Mat3& m);  ///< of one number: about z
void put(const ParameterValue& v, std::array<double, 4>& m);
void put(const ParameterValue& v, std::array<std::string, 2>& m);
void put(const ParameterValue& v, std::array<Vec3, 2>& m);
void put(const ParameterValue& v, std::vector<Vec3>& m);
template <class Q>
requires(std::is_aggregate_v<Q>&& std::is_class_v<Q>) void put(const ParameterValue& v, Q& m) {
  m = v.parts.at(0).second.template as<Q>();
}
template <class Q>
void put(const ParameterValue& v, std::optional<Q>& m) {
  m.emplace();
  put(v, *m);
}

using Taken = std::optional<ParameterValue>;
Taken take(double m);
Taken take(int m);
Taken take(bool m);
Taken take(const std::string& m);
Taken take(const Formula& m);
Taken take(const std::vector<Formula>& m);
Taken take(const std::vector<std::string>& m);
Taken take(const std::vector<double>& m);
Taken take(const std::vector<std::vector<double>>& m);
Taken take(const NamedParameters& m);
Taken take(const AnyParameters& m);
Taken take(const NamedNumbers& m);
Taken take(const Vec3& m);
Taken take(const Mat3& m);
Taken take(const std::array<double, 4>& m);
Taken take(const std::array<std::string, 2>& m);
Taken take(const std::array<Vec3, 2>& m);
Taken take(const std::vector<Vec3>& m);
template <class Q>
requires(std::is_aggregate_v<Q>&& std::is_class_v<Q>) Taken take(const Q& m) {
  // A struct that says so stands for nothing.
  if constexpr (requires { m.absent(); })
    if (m.absent()) return {};
  return take(AnyParameters(m));
}
template <class Q>
Taken take(const std::optional<Q>& m) {
  return m ? take(*m) : Taken();
}

}  // namespace parameters

/// A row of a table and the member that it describes.
template <class P>
struct TableRow {
  Parameter parameter;
  StructType::Member member;

  template <class M>
  TableRow(M P::*at, Parameter row) : parameter(std::move(row)) {
    member.name = parameter.name;
    member.set = [at](void* p, const ParameterValue& v) { parameters::put(v, static_cast<P*>(p)->*at); };
    member.get = [at](const void* p) { return parameters::take(static_cast<const P*>(p)->*at); };
  }
};

/// The table of a struct; announces it.
template <class P>
Table table_of(std::string name, std::string help, std::vector<TableRow<P>> rows) {
  auto maps = std::make_shared<StructType>();
  maps->type = &typeid(P);
  maps->copy = [](const void* from) -> std::shared_ptr<void> {
    return from ? std::make_shared<P>(*static_cast<const P*>(from)) : std::make_shared<P>();
  };
  Table table{.name = std::move(name), .help = std::move(help), .parameters = {}};
  for (TableRow<P>& row : rows) {
    table.parameters.push_back(std::move(row.parameter));
    maps->members.push_back(std::move(row.member));
  }
  table.maps = maps;
  register_struct(maps);
  return table;
}

/// The struct of a table that is only known while the program runs, such as that of a law written in Python.
struct NamedValues {
  std::map<std::string, ParameterValue> values;
};
/// The table with its rows kept in NamedValues.
Table with_named_values(Table table);

namespace parameters {

template <auto make>
struct MadeFrom;
template <class R, class P, class... A, R (*make)(const P&, const Origin&, A...)>
struct MadeFrom<make> {
  static R call(const AnyParameters& p, A... rest) {
    return make(p.as<P>(), p.origin, std::forward<A>(rest)...);
  }
};

}  // namespace parameters

/// For a registry's `make`: a function of the kind's own struct and its origin.
template <auto make>
inline constexpr auto made_from = &parameters::MadeFrom<make>::call;

/// The registered type whose table maps onto these parameters; null: none does. `Entry` has a name and a table.
template <class Entries>
const typename Entries::value_type* find_type(const Entries& entries, const AnyParameters& p) {
  for (const auto& entry : entries)
    if (p.origin.type.empty() ? entry.table.maps && *entry.table.maps->type == p.type()
                              : entry.name == p.origin.type)
      return &entry;
  return nullptr;
}

}  // namespace tappet
