#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/spec/spec.hpp"

namespace tappet::yaml_writer_test {
namespace {

/// Equal in kind, text and order; places and quotes do not matter.
void expect_equal(const Value& a, const Value& b, const std::string& text) {
  ASSERT_EQ(static_cast<int>(a.kind), static_cast<int>(b.kind)) << text;
  ASSERT_EQ(a.text, b.text) << text;
  ASSERT_EQ(a.items.size(), b.items.size()) << text;
  ASSERT_EQ(a.map.size(), b.map.size()) << text;
  for (std::size_t i = 0; i < a.items.size(); ++i) expect_equal(a.items[i], b.items[i], text);
  for (std::size_t i = 0; i < a.map.size(); ++i) {
    ASSERT_EQ(a.map[i].first, b.map[i].first) << text;
    expect_equal(a.map[i].second, b.map[i].second, text);
  }
}

Value scalar(const std::string& text) {
  Value value;
  value.kind = Value::Kind::scalar;
  value.text = text;
  return value;
}

}  // namespace

TEST(YamlWriter, ReadsLikeAModel) {
  const char* text =
      "tappet: 1\n"
      "bodies:\n"
      "  crank:\n"
      "    mass: 0.30 kg\n"
      "    position: [25 mm, 0]\n"
      "joints:\n"
      "  pin:\n"
      "    points: [[0, 0], [-25 mm, 0]]\n"
      "    speed: 2*pi*t rad/s\n"
      "    on: true\n"
      "    note: \"a: b\"\n"
      "    list: [{a: 1}, null]\n"
      "empty: {}\n"
      "nothing: []\n";
  EXPECT_EQ(to_yaml(read_yaml_text(text, "m")), text);
}

TEST(YamlWriter, AwkwardScalarsComeBack) {
  const char* awkward[] = {"",         " ",        "a ",           " a",   "~",       "null",  "a: b",
                           "a #b",     "#a",       "- a",          "-",    "--- a",   "...",   "[a",
                           "{a",       "a]",       "a, b",         "*a",   "&a",      "!a",    "|",
                           ">",        "%a",       "@a",           "`a",   "\"a\"",   "'a'",   "a\nb",
                           "a\tb",     "a\\b",     "? a",          ": a",  "a:",      "true",  "<<",
                           "=",        "-3",       "+3 mm",        ".5",   "(t<1)*2", "10 µs", "\x01",
                           "é",        "x\r\n",    "{}",           "[]",   "5 %",     "t > 1", "\xe2\x80\xa8",
                           "\xc2\xa0", "\xc2\x85", "\xef\xbb\xbf", "0x10", "yes",     "-.inf", "- - -",
                           "a  b"};
  Value root;
  root.kind = Value::Kind::mapping;
  Value list;
  list.kind = Value::Kind::sequence;
  int index = 0;
  for (const char* text : awkward) {
    root.map.emplace_back(fmt::format("k{}", index++), scalar(text));
    root.map.emplace_back(text, scalar("value"));
    list.items.push_back(scalar(text));
  }
  root.map.emplace_back("list", list);
  const std::string text = to_yaml(root);
  expect_equal(read_yaml_text(text, "m"), root, text);
}

TEST(YamlWriter, RandomTreesComeBack) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  const std::string alphabet = "ab1 .-+*:#,[]{}'\"\\&!|>%@`~?\n\t_()^/=<";
  const auto text = [&] {
    std::string out;
    for (int i = below(6); i >= 0; --i) out += alphabet[below(static_cast<int>(alphabet.size()))];
    return out;
  };
  const auto tree = [&](auto&& self, int depth) -> Value {
    Value value;
    switch (below(depth > 0 ? 5 : 3)) {
      case 0:
        break;
      case 1:
      case 2:
        value = scalar(text());
        break;
      case 3:
        value.kind = Value::Kind::sequence;
        for (int i = below(4); i > 0; --i) value.items.push_back(self(self, depth - 1));
        break;
      default:
        value.kind = Value::Kind::mapping;
        for (int i = below(4); i > 0; --i) {
          const std::string key = text();
          if (!value.find(key)) value.map.emplace_back(key, self(self, depth - 1));
        }
    }
    return value;
  };
  for (int i = 0; i < 3000; ++i) {
    Value root;
    root.kind = Value::Kind::mapping;
    root.map.emplace_back("x", tree(tree, 4));
    root.map.emplace_back(text(), tree(tree, 3));
    if (root.map[1].first == "x") continue;
    const std::string written = to_yaml(root);
    SCOPED_TRACE(written);
    Value again;
    ASSERT_NO_THROW(again = read_yaml_text(written, "m"));
    expect_equal(again, root, written);
    if (HasFatalFailure()) return;
  }
}

}  // namespace tappet::yaml_writer_test
