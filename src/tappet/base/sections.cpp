#include "tappet/base/sections.hpp"

#include <map>
#include <stdexcept>

namespace tappet {
namespace {

// Inside functions, because registrations in other files may run before this file's own variables exist.
std::map<std::string, const Family*>& families() {
  static std::map<std::string, const Family*> all;
  return all;
}

std::map<std::string, const Table*>& tables() {
  static std::map<std::string, const Table*> all;
  return all;
}

template <class T>
const T* find(const std::map<std::string, const T*>& all, const std::string& section) {
  const auto found = all.find(section);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

void register_family(const std::string& section, const Family* family) {
  if (!families().emplace(section, family).second)
    throw std::logic_error("family registered twice: " + section);
}

const Family* find_family(const std::string& section) {
  return find(families(), section);
}

void register_table(const std::string& section, const Table* table) {
  if (!tables().emplace(section, table).second) throw std::logic_error("table registered twice: " + section);
}

const Table* find_table(const std::string& section) {
  return find(tables(), section);
}

}  // namespace tappet
