#include "tappet/base/value_stream.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

namespace tappet {
namespace {

constexpr char type_number = 'd', type_integer = 'i', type_text = 's', type_part = 'p', type_list = 'l';
constexpr char type_numbers = 'D', type_integers = 'I', type_texts = 'S';

std::string type_name(char type) {
  switch (type) {
    case type_number:
      return "numbers";
    case type_integer:
      return "a whole number";
    case type_text:
      return "text";
    case type_part:
      return "a part";
    case type_list:
      return "a list";
    case type_numbers:
      return "a vector of numbers";
    case type_integers:
      return "a vector of whole numbers";
    case type_texts:
      return "a vector of texts";
    default:
      return "of an unknown type";
  }
}

void append(std::vector<std::byte>& out, const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  out.insert(out.end(), first, first + size);
}

std::uint64_t read_size(std::span<const std::byte> bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  return size;
}

}  // namespace

// ---- writing ----

void ValueWriter::head(std::string_view name, char type, std::uint64_t size) {
  assert(name.size() < 256);
  const auto length = static_cast<unsigned char>(name.size());
  append(bytes_, &length, 1);
  append(bytes_, name.data(), name.size());
  append(bytes_, &type, 1);
  append(bytes_, &size, sizeof size);
}

void ValueWriter::put(const char* name, char type, const void* data, std::size_t size) {
  if (!in_list_) {
    head(name, type, size);
    append(bytes_, data, size);
    return;
  }
  // The first item makes the columns.
  if (column_ == columns_.size()) columns_.push_back({name, type, {}});
  append(columns_[column_++].bytes, data, size);
}

void ValueWriter::numbers(const char* name, double* x, std::size_t count) {
  put(name, type_number, x, count * sizeof(double));
}

void ValueWriter::integer(const char* name, long& x) {
  const auto wide = static_cast<std::int64_t>(x);
  put(name, type_integer, &wide, sizeof wide);
}

void ValueWriter::field(const char* name, std::string& x) {
  assert(!in_list_);
  put(name, type_text, x.data(), x.size());
}

void ValueWriter::field(const char* name, std::vector<double>& x) {
  assert(!in_list_);
  put(name, type_numbers, x.data(), x.size() * sizeof(double));
}

void ValueWriter::field(const char* name, std::vector<int>& x) {
  assert(!in_list_);
  put(name, type_integers, x.data(), x.size() * sizeof(int));
}

void ValueWriter::field(const char* name, std::vector<std::string>& x) {
  std::string joined;
  for (const std::string& text : x) joined += text + '\0';
  assert(!in_list_);
  put(name, type_texts, joined.data(), joined.size());
}

void ValueWriter::open(const char* name) {
  assert(!in_list_);
  head(name, type_part, 0);
  open_.push_back(bytes_.size());
}

std::size_t ValueWriter::open_list(const char* name, std::size_t items) {
  assert(!in_list_);
  head(name, type_list, 0);
  open_.push_back(bytes_.size());
  const auto count = static_cast<std::uint64_t>(items);
  append(bytes_, &count, sizeof count);
  in_list_ = true;
  columns_.clear();
  return items;
}

void ValueWriter::next_item() {
  column_ = 0;
}

void ValueWriter::close() {
  if (in_list_) {
    in_list_ = false;
    for (const Column& column : columns_) {
      head(column.name, column.type, column.bytes.size());
      append(bytes_, column.bytes.data(), column.bytes.size());
    }
  }
  const std::uint64_t size = bytes_.size() - open_.back();
  std::memcpy(bytes_.data() + open_.back() - sizeof size, &size, sizeof size);
  open_.pop_back();
}

// ---- reading ----

ValueReader::ValueReader(std::span<const std::byte> bytes, bool may_lack) : may_lack_(may_lack) {
  enter("", bytes);
}

void ValueReader::fail(const std::string& name, const std::string& what) const {
  std::string path;
  for (const Scope& scope : scopes_)
    if (!scope.name.empty()) path += scope.name + '.';
  path += name;
  if (path.ends_with('.')) path.pop_back();
  throw ValueError(path.empty() ? what : fmt::format("field '{}' {}", path, what));
}

/// Finds where the fields of a part begin and end.
void ValueReader::enter(const std::string& name, std::span<const std::byte> bytes) {
  scopes_.emplace_back().name = name;
  std::vector<Entry> entries;
  while (!bytes.empty()) {
    const std::size_t length = static_cast<unsigned char>(bytes[0]),
                      head = 1 + length + 1 + sizeof(std::uint64_t);
    if (bytes.size() < head)
      fail("",
           entries.empty() ? "is cut short" : fmt::format("is cut short after '{}'", entries.back().name));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data() + 1), length);
    const char type = static_cast<char>(bytes[1 + length]);
    const std::uint64_t size = read_size(bytes.subspan(2 + length));
    if (size > bytes.size() - head) fail(std::string(text), "is cut short");
    entries.push_back({text, type, bytes.subspan(head, size)});
    bytes = bytes.subspan(head + size);
  }
  scopes_.back().entries = std::move(entries);
}

ValueReader::Entry* ValueReader::find(const char* name, char type) {
  Scope& scope = scopes_.back();
  if (scope.absent) return nullptr;
  const std::size_t n = scope.entries.size();
  for (std::size_t i = 0; i < n; ++i) {
    Entry& entry = scope.entries[(scope.next + i) % n];
    if (entry.name != name) continue;
    scope.next = (scope.next + i + 1) % n;
    if (entry.type != type)
      fail(name, fmt::format("is {}, but should be {}", type_name(entry.type), type_name(type)));
    entry.asked = true;
    return &entry;
  }
  if (!may_lack_) fail(name, "is missing");
  return nullptr;
}

// The bytes of a field of known size, of this item where a list is open.
std::span<const std::byte> ValueReader::bytes_of(const char* name, char type, std::size_t size, bool& there) {
  const Entry* entry = find(name, type);
  there = entry != nullptr;
  if (!there) return {};
  const Scope& scope = scopes_.back();
  const std::size_t items = scope.list ? scope.items : 1;
  if (entry->bytes.size() != items * size)
    fail(name, fmt::format("has {} bytes, but should have {}", entry->bytes.size(), items * size));
  return entry->bytes.subspan(scope.list ? (scope.item - 1) * size : 0, size);
}

void ValueReader::numbers(const char* name, double* x, std::size_t count) {
  bool there = false;
  const auto bytes = bytes_of(name, type_number, count * sizeof(double), there);
  if (there) std::memcpy(x, bytes.data(), bytes.size());
}

void ValueReader::integer(const char* name, long& x) {
  bool there = false;
  std::int64_t wide = 0;
  const auto bytes = bytes_of(name, type_integer, sizeof wide, there);
  if (!there) return;
  std::memcpy(&wide, bytes.data(), sizeof wide);
  x = static_cast<long>(wide);
}

void ValueReader::does_not_fit(const char* name, long x) {
  fail(name, fmt::format("holds {}, which is too large", x));
}

void ValueReader::field(const char* name, std::string& x) {
  if (const Entry* entry = find(name, type_text))
    x.assign(reinterpret_cast<const char*>(entry->bytes.data()), entry->bytes.size());
}

void ValueReader::field(const char* name, std::vector<double>& x) {
  const Entry* entry = find(name, type_numbers);
  if (!entry) return;
  if (entry->bytes.size() % sizeof(double)) fail(name, "does not hold whole numbers of 8 bytes");
  x.resize(entry->bytes.size() / sizeof(double));
  std::copy(entry->bytes.begin(), entry->bytes.end(), reinterpret_cast<std::byte*>(x.data()));
}

void ValueReader::field(const char* name, std::vector<int>& x) {
  const Entry* entry = find(name, type_integers);
  if (!entry) return;
  if (entry->bytes.size() % sizeof(int)) fail(name, "does not hold whole numbers of 4 bytes");
  x.resize(entry->bytes.size() / sizeof(int));
  std::copy(entry->bytes.begin(), entry->bytes.end(), reinterpret_cast<std::byte*>(x.data()));
}

void ValueReader::field(const char* name, std::vector<std::string>& x) {
  const Entry* entry = find(name, type_texts);
  if (!entry) return;
  x.clear();
  std::string text;
  for (const std::byte byte : entry->bytes) {
    if (byte == std::byte{0})
      x.push_back(std::exchange(text, ""));
    else
      text += static_cast<char>(byte);
  }
  if (!text.empty()) fail(name, "is cut short");
}

void ValueReader::open(const char* name) {
  const Entry* entry = find(name, type_part);
  if (entry) return enter(name, entry->bytes);
  scopes_.emplace_back().name = name;
  scopes_.back().absent = true;
}

std::size_t ValueReader::open_list(const char* name, std::size_t items) {
  const Entry* entry = find(name, type_list);
  if (!entry) {
    scopes_.emplace_back().name = name;
    scopes_.back().list = scopes_.back().absent = true;
    return items;
  }
  if (entry->bytes.size() < sizeof(std::uint64_t)) fail(name, "is cut short");
  const std::uint64_t count = read_size(entry->bytes);
  // An item has eight bytes at least.
  if (count > entry->bytes.size() / 8)
    fail(name, fmt::format("claims {} items, for which it is too short", count));
  enter(name, entry->bytes.subspan(sizeof count));
  Scope& scope = scopes_.back();
  scope.list = true;
  scope.items = count;
  if (count == 0 && !scope.entries.empty()) fail("", "has no items, but fields");
  return count;
}

void ValueReader::next_item() {
  ++scopes_.back().item;
}

void ValueReader::close() {
  finish();
  scopes_.pop_back();
}

void ValueReader::finish() {
  for (const Entry& entry : scopes_.back().entries)
    if (!entry.asked) fail(std::string(entry.name), "is not known here");
}

// ---- telling apart ----

void FieldTexts::put(const std::string& name, const std::string& text) {
  std::string path;
  for (const Scope& scope : scopes_) {
    path += scope.name;
    if (scope.item >= 0) path += fmt::format("[{}]", scope.item);
    path += '.';
  }
  texts.emplace_back(path + name, text);
}

void FieldTexts::numbers(const char* name, double* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    put(count > 1 ? fmt::format("{}[{}]", name, i) : name, fmt::format("{:.17g}", x[i]));
}

void FieldTexts::integer(const char* name, long& x) {
  put(name, fmt::format("{}", x));
}

void FieldTexts::field(const char* name, std::string& x) {
  put(name, x);
}

void FieldTexts::field(const char* name, std::vector<double>& x) {
  put(fmt::format("{}, length", name), fmt::format("{}", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    put(fmt::format("{}[{}]", name, i), fmt::format("{:.17g}", x[i]));
}

void FieldTexts::field(const char* name, std::vector<int>& x) {
  put(fmt::format("{}, length", name), fmt::format("{}", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) put(fmt::format("{}[{}]", name, i), fmt::format("{}", x[i]));
}

void FieldTexts::field(const char* name, std::vector<std::string>& x) {
  put(fmt::format("{}, length", name), fmt::format("{}", x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) put(fmt::format("{}[{}]", name, i), x[i]);
}

void FieldTexts::open(const char* name) {
  scopes_.push_back({name});
}

std::size_t FieldTexts::open_list(const char* name, std::size_t items) {
  put(fmt::format("{}, length", name), fmt::format("{}", items));
  scopes_.push_back({name});
  return items;
}

void FieldTexts::next_item() {
  ++scopes_.back().item;
}

void FieldTexts::close() {
  scopes_.pop_back();
}

std::string differing_fields(const FieldTexts& a, const FieldTexts& b, std::size_t most) {
  std::string out;
  std::size_t found = 0;
  const std::size_t both = std::min(a.texts.size(), b.texts.size());
  for (std::size_t i = 0; i < both && found < most; ++i) {
    if (a.texts[i] == b.texts[i]) continue;
    out += fmt::format("{}: {} against {}\n", a.texts[i].first, a.texts[i].second, b.texts[i].second);
    ++found;
    // What follows is of other fields.
    if (a.texts[i].first != b.texts[i].first || a.texts[i].first.ends_with(", length")) return out;
  }
  if (found < most && a.texts.size() != b.texts.size())
    out += fmt::format("{} fields against {}\n", a.texts.size(), b.texts.size());
  return out;
}

}  // namespace tappet
