#include "tappet/base/xml.hpp"

#include <gtest/gtest.h>

namespace tappet::xml_test {
namespace {

TEST(Xml, ElementsAttributesAndText) {
  std::string fault;
  const auto root = read_xml(R"(<?xml version="1.0"?><!DOCTYPE a [<!ELEMENT a (b)>]><!-- <c/> -->
<a x='1 &lt; 2' y:z="&#65;&#x42;&#8364;">one<b/> two <![CDATA[<&>]]><!-- no --><b k="v">in</b>three</a>
)",
                             fault);
  ASSERT_TRUE(root) << fault;
  EXPECT_EQ(root->name, "a");
  EXPECT_EQ(root->line, 2);
  EXPECT_EQ(root->attribute("x"), "1 < 2");
  EXPECT_EQ(root->attribute("y:z"), "AB€");
  EXPECT_EQ(root->attribute("none"), "");
  EXPECT_EQ(root->text, "one two <&>three");
  ASSERT_EQ(root->children.size(), 2u);
  EXPECT_EQ(root->child("b"), &root->children[0]);
  EXPECT_EQ(root->children[1].attribute("k"), "v");
  EXPECT_EQ(root->child("c"), nullptr);
}

TEST(Xml, FaultsNameTheLine) {
  const auto fault_of = [](const std::string& text) {
    std::string fault;
    EXPECT_FALSE(read_xml(text, fault)) << text;
    return fault;
  };
  EXPECT_EQ(fault_of("<a>\n<b></a>"), "line 2: '</a>' stands where '</b>' is due");
  EXPECT_EQ(fault_of("<a>"), "line 1: element 'a' does not end");
  EXPECT_EQ(fault_of("<a b>"), "line 1: element 'a' has something that is no attribute");
  EXPECT_EQ(fault_of("<a b=c/>"), "line 1: attribute 'b' has no quoted value");
  EXPECT_EQ(fault_of("<a>&unknown;</a>"), "line 1: '&' does not begin an entity that is known");
  EXPECT_EQ(fault_of("<a/><b/>"), "line 1: there is more after the outermost element");
  EXPECT_EQ(fault_of(""), "line 1: an element is missing");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  EXPECT_EQ(fault_of(deep), "line 1: elements are nested deeper than 200");
}

// Cut or damaged anywhere, a text is read or refused.
TEST(Xml, DamagedTextsAreReadOrRefused) {
  const std::string whole = R"(<?xml?><!DOCTYPE d><a x="1"><!-- c --><b>&amp;<![CDATA[x]]></b></a>)";
  std::string fault;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(read_xml(whole.substr(0, cut), fault));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char put : {'<', '>', '&', '"', '/', '\0', ' '}) {
      std::string damaged = whole;
      damaged[at] = put;
      read_xml(damaged, fault);
    }
}

// Every element takes a hundred bytes and more, of a text of four: how many there may be is said.
TEST(Xml, HasNoMoreElementsThanFitIntoMemory) {
  std::string many = "<a>", fault;
  for (std::size_t i = 0; i < max_xml_parts; ++i) many += "<b/>";
  EXPECT_FALSE(read_xml(many + "</a>", fault));
  EXPECT_EQ(fault,
            "line 1: there are more than 2000000 elements and attributes, which is the most that is read");
  std::string wide = "<a";
  for (std::size_t i = 0; i < max_xml_parts; ++i) wide += " b=''";
  EXPECT_FALSE(read_xml(wide + "/>", fault));
}

}  // namespace
}  // namespace tappet::xml_test
