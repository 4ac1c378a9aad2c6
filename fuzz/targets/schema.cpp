// The schema and the reader are made from the same tables: of a model that is accepted, every key is one that the schema names.
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "names.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::schema_target {
namespace {

using nlohmann::json;

/// What a value meets in the schema: a key that nothing allows is returned, "" if there is none. Alternatives (oneOf, anyOf) and
/// conditions (if, then) are all taken to allow what they allow.
class Allowed {
 public:
  explicit Allowed(const json& root) : root_(root) {}

  void gather(const json& node, std::vector<const json*>& out, int depth = 0) const {
    if (!node.is_object() || depth > 12) return;
    if (const auto ref = node.find("$ref"); ref != node.end()) {
      const std::string at = ref->get<std::string>().substr(1);
      gather(root_.at(json::json_pointer(at)), out, depth + 1);
    }
    out.push_back(&node);
    for (const char* key : {"oneOf", "anyOf", "allOf"})
      if (const auto list = node.find(key); list != node.end())
        for (const json& item : *list) gather(item, out, depth + 1);
    for (const char* key : {"if", "then", "else"})
      if (const auto item = node.find(key); item != node.end()) gather(*item, out, depth + 1);
  }

  std::string stranger(const Value& value, const std::vector<const json*>& nodes) const {
    for (const auto& [key, item] : value.map) {
      std::vector<const json*> inner;
      bool known = false;
      for (const json* node : nodes) {
        const auto properties = node->find("properties");
        if (properties != node->end() && properties->contains(key)) {
          known = true;
          gather((*properties)[key], inner);
        }
        const auto more = node->find("additionalProperties");
        if (more != node->end() && more->is_object()) {
          known = true;
          gather(*more, inner);
        } else if (more == node->end() && properties == node->end() && !node->contains("type")) {
          continue;
        }
        if (node->contains("patternProperties")) {
          known = true;
          for (const auto& pattern : (*node)["patternProperties"]) gather(pattern, inner);
        }
      }
      if (!known) return key;
      if (const std::string found = stranger(item, inner); !found.empty()) return found;
    }
    return {};
  }

 private:
  const json& root_;
};

void run(std::string_view text) {
  static const json schema = json::parse(json_schema());
  Value root;
  try {
    root = read_yaml_text(std::string(text), "fuzz.yaml");
    static_cast<void>(spec_from_value(root, name_of_text(text, "fuzz.yaml")));
  } catch (const InputError&) {
    return;
  }
  const Allowed allowed(schema);
  std::vector<const json*> nodes;
  allowed.gather(schema, nodes);
  if (const std::string key = allowed.stranger(root, nodes); !key.empty())
    throw Contradiction("the reader accepts a key that the schema does not know: " + key);
}

const Registration<FuzzTarget> registered{{.name = "schema",
                                           .help = "what the reader accepts the schema knows",
                                           .examples = {".yaml"},
                                           .names = true,
                                           .run = run}};

}  // namespace
}  // namespace tappet::fuzz::schema_target
