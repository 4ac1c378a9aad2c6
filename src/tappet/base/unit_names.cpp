#include "tappet/base/unit_names.hpp"

#include <clocale>
#include <map>
#include <memory>
#include <mutex>

#include <udunits2.h>

#include "tappet/base/unit_error.hpp"

namespace tappet {

namespace {

/// Which base unit a basic unit of UDUNITS is.
std::optional<BaseUnit> base_unit(const ut_unit* basic) {
  static const std::map<std::string, BaseUnit> symbols = {{"m", metre},    {"kg", kilogram}, {"s", second},
                                                          {"A", ampere},   {"K", kelvin},    {"mol", mole},
                                                          {"cd", candela}, {"rad", radian}};
  const char* symbol = ut_get_symbol(basic, UT_ASCII);
  const auto found = symbols.find(symbol ? symbol : "");
  if (found == symbols.end()) return std::nullopt;
  return found->second;
}

// The visitor takes a unit of UDUNITS apart into factor, offset and powers; `out` is the Unit being filled.

ut_status visit_product(const ut_unit*, int count, const ut_unit* const* basic, const int* powers,
                        void* out) {
  for (int i = 0; i < count; ++i) {
    const auto base = base_unit(basic[i]);
    if (!base) return UT_MEANINGLESS;
    static_cast<Unit*>(out)->powers[*base] += powers[i];
  }
  return UT_SUCCESS;
}

ut_status visit_basic(const ut_unit* unit, void* out) {
  const int one = 1;
  return visit_product(unit, 1, &unit, &one, out);
}

ut_status visit_timestamp(const ut_unit*, const ut_unit*, double, void*) {
  return UT_MEANINGLESS;
}

ut_status visit_logarithmic(const ut_unit*, double, const ut_unit*, void*) {
  return UT_MEANINGLESS;
}

ut_status visit_galilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* out);

const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp, visit_logarithmic};

ut_status visit_galilean(const ut_unit*, double scale, const ut_unit* underlying, double offset, void* out) {
  static_cast<Unit*>(out)->factor *= scale;
  static_cast<Unit*>(out)->offset += offset * scale;
  return ut_accept_visitor(underlying, &visitor, out);
}

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
using UnitHandle = std::unique_ptr<ut_unit, FreeUnit>;

/// The unit database with the few names that engineers write and UDUNITS lacks. UDUNITS is not thread safe:
/// one user at a time.
class Database {
 public:
  static Database& instance() {
    static Database database;
    return database;
  }

  std::optional<Unit> find(const std::string& name) {
    std::lock_guard lock(mutex_);
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (!system_)
      throw UnitError(
          "units cannot be used: the database of UDUNITS-2 is missing (package libudunits2-data)");
    std::optional<Unit> unit;
    if (UnitHandle handle{ut_parse(system_, name.c_str(), UT_UTF8)}) {
      Unit parts;
      if (ut_accept_visitor(handle.get(), &visitor, &parts) == UT_SUCCESS) {
        parts.factor = without_rounding(parts.factor);
        unit = parts;
      }
    }
    if (known_.size() < 10000) known_[name] = unit;
    return unit;
  }

 private:
  Database() {
    ut_set_error_message_handler(ut_ignore);
    // The database is full of decimal points: read it as such in every language.
    const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const locale_t users = uselocale(plain);
    system_ = ut_read_xml(nullptr);
    uselocale(users);
    freelocale(plain);
    if (!system_) return;
    for (const auto& [symbol, meaning] : {std::pair{"deg", "arc_degree"}, {"rev", "turn"}, {"Nm", "N.m"}})
      if (UnitHandle handle{ut_parse(system_, meaning, UT_UTF8)})
        ut_map_symbol_to_unit(symbol, UT_UTF8, handle.get());
  }

  std::mutex mutex_;
  ut_system* system_ = nullptr;
  std::map<std::string, std::optional<Unit>> known_;
};

}  // namespace

std::optional<Unit> unit_of_name(const std::string& name) {
  return Database::instance().find(name);
}

}  // namespace tappet
