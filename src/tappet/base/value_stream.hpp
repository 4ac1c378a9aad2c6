// Plain values with named fields, written to bytes and read back: what a value consists of is said once, in
//
//   void fields(FieldVisitor& v, T& value) { v.field("t", value.t); v.list("contacts", value.contacts); … }
//
// and writing, reading and telling two values apart all go through this list.
//
// The bytes: a field is its name (one byte of length, then the text), a letter for its type, the number of bytes that follow
// (8 bytes) and these; numbers as this machine stores them. A part is a field whose bytes are fields. A list is a part that
// begins with the number of items; each of its fields holds that field of all items, one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tappet/base/vectors.hpp"

namespace tappet {

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  void field(const char* name, double& x) { numbers(name, &x, 1); }
  void field(const char* name, Vec3& x) { numbers(name, x.data(), 3); }
  template <std::size_t n>
  void field(const char* name, std::array<double, n>& x) {
    numbers(name, x.data(), n);
  }
  void field(const char* name, long& x) { integer(name, x); }
  void field(const char* name, int& x) { narrow(name, x); }
  void field(const char* name, bool& x) { narrow(name, x); }
  virtual void field(const char* name, std::string& x) = 0;
  virtual void field(const char* name, std::vector<double>& x) = 0;
  virtual void field(const char* name, std::vector<int>& x) = 0;
  virtual void field(const char* name, std::vector<std::string>& x) = 0;

  /// Items whose fields are numbers.
  template <class T>
  void list(const char* name, std::vector<T>& items) {
    items.resize(open_list(name, items.size()));
    for (T& item : items) {
      next_item();
      fields(*this, item);
    }
    close();
  }
  /// A value with fields of its own.
  template <class T>
  void part(const char* name, T& value) {
    open(name);
    fields(*this, value);
    close();
  }
  virtual void open(const char* name) = 0;
  virtual void close() = 0;

 protected:
  virtual void numbers(const char* name, double* x, std::size_t count) = 0;
  virtual void integer(const char* name, long& x) = 0;
  /// How many items there are to be visited, given how many there are.
  virtual std::size_t open_list(const char* name, std::size_t items) = 0;
  virtual void next_item() = 0;
  /// A number that was read is too large for its field.
  virtual void does_not_fit(const char* name, long x) { (void)name, (void)x; }

 private:
  template <class T>
  void narrow(const char* name, T& x) {
    long wide = static_cast<long>(x);
    integer(name, wide);
    x = static_cast<T>(wide);
    if (static_cast<long>(x) != wide) does_not_fit(name, wide);
  }
};

/// Makes bytes of a value.
class ValueWriter final : public FieldVisitor {
 public:
  using FieldVisitor::field;
  void field(const char* name, std::string& x) override;
  void field(const char* name, std::vector<double>& x) override;
  void field(const char* name, std::vector<int>& x) override;
  void field(const char* name, std::vector<std::string>& x) override;
  void open(const char* name) override;
  void close() override;

  std::vector<std::byte> take() { return std::move(bytes_); }

 protected:
  void numbers(const char* name, double* x, std::size_t count) override;
  void integer(const char* name, long& x) override;
  std::size_t open_list(const char* name, std::size_t items) override;
  void next_item() override;

 private:
  struct Column {
    std::string name;
    char type = 0;
    std::vector<std::byte> bytes;
  };
  void put(const char* name, char type, const void* data, std::size_t size);
  void head(std::string_view name, char type, std::uint64_t size);

  std::vector<std::byte> bytes_;
  std::vector<std::size_t> open_;  // where the bytes of parts that are open begin
  bool in_list_ = false;
  std::vector<Column> columns_;  // of the list that is open
  std::size_t column_ = 0;
};

/// What is wrong with bytes that were to be read: a sentence that names the field.
class ValueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a value from bytes. Fields are found by name; one that is missing, that nobody asked for, or whose type or size is
/// another, is a ValueError. `may_lack`: a missing field keeps its value, as it may in bytes of an older version.
class ValueReader final : public FieldVisitor {
 public:
  explicit ValueReader(std::span<const std::byte> bytes, bool may_lack = false);

  using FieldVisitor::field;
  void field(const char* name, std::string& x) override;
  void field(const char* name, std::vector<double>& x) override;
  void field(const char* name, std::vector<int>& x) override;
  void field(const char* name, std::vector<std::string>& x) override;
  void open(const char* name) override;
  void close() override;
  /// After the last field: complains about fields that nobody asked for.
  void finish();
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

 protected:
  void numbers(const char* name, double* x, std::size_t count) override;
  void integer(const char* name, long& x) override;
  std::size_t open_list(const char* name, std::size_t items) override;
  void next_item() override;
  void does_not_fit(const char* name, long x) override;

 private:
  struct Entry {
    std::string_view name;
    char type = 0;
    std::span<const std::byte> bytes;
    bool asked = false;
  };
  struct Scope {
    std::string name;
    std::vector<Entry> entries;
    std::size_t next = 0;  // where the next field is expected
    std::size_t items = 0, item = 0;
    bool list = false, absent = false;
  };
  void enter(const std::string& name, std::span<const std::byte> bytes);
  /// Null: missing, and allowed to be.
  Entry* find(const char* name, char type);
  std::span<const std::byte> bytes_of(const char* name, char type, std::size_t size, bool& there);

  std::vector<Scope> scopes_;
  bool may_lack_ = false;
};

/// The fields of a value with their numbers as text, "contacts[2].start" and "0.25": what differs between two values is
/// found by comparing these.
class FieldTexts final : public FieldVisitor {
 public:
  using FieldVisitor::field;
  void field(const char* name, std::string& x) override;
  void field(const char* name, std::vector<double>& x) override;
  void field(const char* name, std::vector<int>& x) override;
  void field(const char* name, std::vector<std::string>& x) override;
  void open(const char* name) override;
  void close() override;

  std::vector<std::pair<std::string, std::string>> texts;

 protected:
  void numbers(const char* name, double* x, std::size_t count) override;
  void integer(const char* name, long& x) override;
  std::size_t open_list(const char* name, std::size_t items) override;
  void next_item() override;

 private:
  struct Scope {
    std::string name;
    long item = -1;
  };
  void put(const std::string& name, const std::string& text);
  std::vector<Scope> scopes_;
};

/// The first few fields in which two lists of texts differ, a line each; "" when they do not.
std::string differing_fields(const FieldTexts& a, const FieldTexts& b, std::size_t most = 8);

}  // namespace tappet
