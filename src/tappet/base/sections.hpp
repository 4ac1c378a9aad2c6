// Which tables and families the sections of a model file consist of. Rooms announce theirs before main().
#pragma once

#include <string>

namespace tappet {

struct Table;
struct Family;

/// A family over a registry, under the section's name ("joints", "forces") or another that tables refer to ("normal").
void register_family(const std::string& section, const Family* family);
const Family* find_family(const std::string& section);
/// A table of one shape: "bodies", "simulation", "output".
void register_table(const std::string& section, const Table* table);
const Table* find_table(const std::string& section);

}  // namespace tappet
