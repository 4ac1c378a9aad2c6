#include "tappet/base/value_stream.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tappet::streamed::value_stream_test {

struct Point {
  double x = 0;
  Vec3 at = Vec3::Zero();
  int n = 0;
  bool on = false;
  bool operator==(const Point&) const = default;
};
void fields(FieldVisitor& v, Point& p) {
  v.field("x", p.x);
  v.field("at", p.at);
  v.field("n", p.n);
  v.field("on", p.on);
}

struct Inner {
  std::string text;
  long big = 0;
  bool operator==(const Inner&) const = default;
};
void fields(FieldVisitor& v, Inner& i) {
  v.field("text", i.text);
  v.field("big", i.big);
}

struct Whole {
  std::vector<double> numbers;
  std::vector<int> integers;
  std::vector<std::string> texts;
  std::array<double, 2> pair{};
  std::vector<Point> points;
  Inner inner;
  bool operator==(const Whole&) const = default;
};
void fields(FieldVisitor& v, Whole& w) {
  v.field("numbers", w.numbers);
  v.field("integers", w.integers);
  v.field("texts", w.texts);
  v.field("pair", w.pair);
  v.list("points", w.points);
  v.part("inner", w.inner);
}

namespace {

using ::testing::HasSubstr;

Whole example() {
  return {.numbers = {1.5, -0.0, 1e308},
          .integers = {3, -4},
          .texts = {"a", "", "ö\n"},
          .pair = {7, 8},
          .points = {{1, {1, 2, 3}, 5, true}, {2, {4, 5, 6}, -6, false}},
          .inner = {.text = "hello", .big = 1L << 40}};
}

std::vector<std::byte> bytes_of(Whole value) {
  ValueWriter writer;
  fields(writer, value);
  return writer.take();
}

Whole read(std::span<const std::byte> bytes, bool may_lack = false) {
  Whole out;
  ValueReader reader(bytes, may_lack);
  fields(reader, out);
  reader.finish();
  return out;
}

std::string fault(std::span<const std::byte> bytes) {
  try {
    read(bytes);
  } catch (const ValueError& error) {
    return error.what();
  }
  return "";
}

TEST(ValueStream, ReadsWhatItWrote) {
  EXPECT_EQ(read(bytes_of(example())), example());
  EXPECT_EQ(bytes_of(read(bytes_of(example()))), bytes_of(example()));
  EXPECT_EQ(read(bytes_of({})), Whole{});
  EXPECT_TRUE(std::signbit(read(bytes_of(example())).numbers[1]));
}

// Cut anywhere, it is refused, and nothing is read beyond its end.
TEST(ValueStream, RefusesWhatIsCutShort) {
  const std::vector<std::byte> all = bytes_of(example());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const std::vector<std::byte> part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_NE(fault(part), "") << n;
  }
}

// A byte altered is refused with a sentence or changes a value; it never does anything else.
TEST(ValueStream, SurvivesAlteredBytes) {
  const std::vector<std::byte> all = bytes_of(example());
  for (std::size_t n = 0; n < all.size(); ++n)
    for (const int bit : {1, 4, 7}) {
      std::vector<std::byte> altered = all;
      altered[n] ^= std::byte{static_cast<unsigned char>(1 << bit)};
      try {
        EXPECT_TRUE(bytes_of(read(altered)) != all) << n;
      } catch (const ValueError&) {
      }
    }
}

struct Renamed : Whole {};
void fields(FieldVisitor& v, Renamed& w) {
  v.field("numbers", w.numbers);
  v.field("number_of_wheels", w.inner.big);
}

TEST(ValueStream, NamesTheFieldAtFault) {
  ValueWriter writer;
  Renamed other;
  fields(writer, other);
  const std::vector<std::byte> bytes = writer.take();
  EXPECT_THAT(fault(bytes), HasSubstr("field 'integers' is missing"));
  // In what an older version wrote fields may be missing, but none may be unknown.
  try {
    read(bytes, true);
    FAIL();
  } catch (const ValueError& error) {
    EXPECT_THAT(error.what(), HasSubstr("field 'number_of_wheels' is not known here"));
  }
  std::vector<std::byte> altered = bytes_of(example());
  // The type of the first field, behind its name.
  altered[1 + std::string("numbers").size()] = std::byte{'i'};
  EXPECT_THAT(fault(altered),
              HasSubstr("field 'numbers' is a whole number, but should be a vector of numbers"));
}

TEST(ValueStream, TellsWhatDiffers) {
  Whole a = example(), b = example();
  b.points[1].at.y() = 5.5;
  b.inner.text = "help";
  FieldTexts of_a, of_b;
  fields(of_a, a);
  fields(of_b, b);
  EXPECT_EQ(differing_fields(of_a, of_a), "");
  EXPECT_EQ(differing_fields(of_a, of_b), "points[1].at[1]: 5 against 5.5\ninner.text: hello against help\n");
  b.points.pop_back();
  FieldTexts shorter;
  fields(shorter, b);
  EXPECT_EQ(differing_fields(of_a, shorter), "points, length: 2 against 1\n");
}

}  // namespace
}  // namespace tappet::streamed::value_stream_test
