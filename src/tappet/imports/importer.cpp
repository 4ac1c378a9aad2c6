#include "tappet/imports/importer.hpp"

#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/base/text.hpp"
#include "tappet/spec/model_source.hpp"

namespace tappet {

namespace {

/// Of a description; the meshes that it names are files of their own.
constexpr std::uint64_t most_bytes = 256 << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error({std::make_shared<const std::string>(path), 0, 0}, message);
  throw InputError(diagnostics.all());
}

/// The name of the first element, by a look that a broken file stands; "" where there is none.
std::string outermost(const std::string& xml) {
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    if (xml.compare(at, 4, "<!--") == 0) {
      at = xml.find("-->", at);
      if (at == std::string::npos) return "";
      continue;
    }
    const std::size_t first = at + 1;
    std::size_t end = first;
    while (end < xml.size() &&
           (is_letter(xml[end]) || is_digit(xml[end]) || xml[end] == ':' || xml[end] == '-'))
      ++end;
    if (end > first) return xml.substr(first, end - first);
  }
  return "";
}

/// In UTF-8, whatever of Latin letters the first line says that it is written in.
std::string in_utf8(std::string text) {
  std::string head = text.substr(0, text.find("?>"));
  for (char& c : head) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!head.starts_with("<?xml") ||
      (head.find("iso-8859-1") == std::string::npos && head.find("latin1") == std::string::npos))
    return text;
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

}  // namespace

std::string text_of_file(const std::string& path) {
  std::string why;
  std::optional<std::string> text = read_named_file(path, why, most_bytes);
  if (!text) refuse(path, why);
  return in_utf8(std::move(*text));
}

std::string text_of_included_file(const std::string& path) {
  std::string why;
  std::optional<std::string> text = read_input_file(path, why, most_bytes);
  if (!text) refuse(path, why);
  return in_utf8(std::move(*text));
}

ImportedModel import_model(const std::string& path, const RobotOptions& options) {
  const std::string text = text_of_file(path), root = path.ends_with(".adm") ? "adm" : outermost(text);
  if (const Importer* importer = ImporterRegistry::instance().find(root))
    return importer->import(text, path, options);
  if (root == "robot")
    refuse(path,
           "cannot be read: this Tappet was built without URDF, by TAPPET_URDF or where urdfdom was missing "
           "(package liburdfdom-dev)");
  for (const auto& [name, option] :
       {std::pair{"adm", "TAPPET_ADAMS"}, {"mujoco", "TAPPET_MJCF"}, {"sdf", "TAPPET_SDF"}})
    if (root == name) refuse(path, fmt::format("cannot be read: this Tappet was built with {}=OFF", option));
  refuse(path,
         fmt::format(
             "is no description that can be read: {}; its outermost element may be <robot> (URDF), <mujoco> "
             "(MJCF) or <sdf> (SDF)",
             root.empty() ? "it is no XML" : "its outermost element is <" + root + ">"));
}

namespace {

// What a model file names as itself: `tappet run robot.urdf`.
Value read_foreign(const std::string& path, std::vector<std::string>& notes) {
  ImportedModel import = import_model(path);
  notes = std::move(import.notes);
  notes.insert(notes.begin(), import.warnings.begin(), import.warnings.end());
  return std::move(import.model);
}
const Registration<ModelSource> sources[] = {
    Registration<ModelSource>{{.name = ".adm", .read = read_foreign}},
    Registration<ModelSource>{{.name = ".sdf", .read = read_foreign}},
    Registration<ModelSource>{{.name = ".urdf", .read = read_foreign}},
    Registration<ModelSource>{{.name = ".xml", .read = read_foreign}}};

}  // namespace

}  // namespace tappet
