// Builds the value tree from the events of yaml-cpp. Private to spec/.
//
// Events, not yaml-cpp's own tree, because the tree forgets duplicate keys and expands nothing: here a
// duplicate is an error with both places, and an alias is a copy that is paid from a budget, so that a
// "billion laughs" file ends in a sentence instead of in an empty memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include "tappet/spec/value.hpp"

namespace tappet {

/// Values one file may hold, aliases expanded.
inline constexpr std::size_t max_values = 2'000'000;
/// Bytes of text they may hold, aliases expanded.
inline constexpr std::size_t max_text_bytes = std::size_t{64} << 20;
/// Lists and mappings inside one another.
inline constexpr int max_nesting = 100;

class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { end_collection(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { end_collection(); }

  /// The finished tree. Throws InputError when keys were given twice.
  Value take_root();
  SourcePos place(const YAML::Mark& mark) const;

  /// Where a second document began; line 0 when there was none.
  const SourcePos& second_document() const { return second_document_; }
  /// Where the last quoted scalar began; line 0 when there was none.
  const SourcePos& last_quoted() const { return last_quoted_; }

 private:
  /// A value with what copying it costs.
  struct Built {
    Value value;
    std::size_t size = 1;  ///< values in it
    std::size_t text = 0;  ///< bytes of text in it, keys included
    int depth = 0;         ///< collections inside one another
  };
  /// A list or mapping that has begun and not ended.
  struct Open {
    Built built;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key;
    SourcePos key_pos;
    bool merge = false;                          ///< the key at hand is an unquoted <<
    std::vector<Value> merged;                   ///< what << brought
    std::unordered_map<std::string, int> lines;  ///< of the keys so far
  };

  void begin_collection(Value::Kind kind, const YAML::Mark& mark, const std::string& tag,
                        YAML::anchor_t anchor);
  void end_collection();
  bool key_expected() const;
  void add_key(const YAML::Mark& mark, bool quoted, const std::string& key);
  void add(Built built, YAML::anchor_t anchor);
  void add_merge(Value value);
  void apply_merges(Open& open);
  void spend(std::size_t values, std::size_t text, const SourcePos& pos);
  void check_tag(const std::string& tag, const SourcePos& pos) const;

  std::shared_ptr<const std::string> file_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Built> anchors_;
  std::size_t spent_ = 0, spent_text_ = 0;
  bool has_root_ = false;
  Value root_;
  SourcePos second_document_;
  SourcePos last_quoted_;
  Diagnostics faults_;
};

[[noreturn]] void throw_input_error(const SourcePos& pos, const std::string& message);

}  // namespace tappet
