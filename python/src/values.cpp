// Python's numbers, texts, lists and mappings as values of a model, and back.

#include <charconv>

#include <fmt/format.h>

#include "bindings.hpp"

namespace tappet::python {

namespace {

Value scalar(std::string text, const SourcePos& pos) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.pos = pos;
  out.text = std::move(text);
  return out;
}

/// A text of Python's as UTF-8. Halves of surrogate pairs, which Python makes of bytes that are no text, are no letters.
std::string utf8(const py::handle& text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw py::value_error(
      fmt::format("{} holds half of a surrogate pair, which is no letter: it cannot be written as UTF-8",
                  py::reinterpret_steal<py::str>(PyObject_ASCII(text.ptr())).cast<std::string>()));
}

[[noreturn]] void refuse(const py::handle& object) {
  throw py::type_error(
      fmt::format("{} cannot be a value of a model; numbers, text, lists, mappings and None can",
                  py::repr(py::type::of(object)).cast<std::string>()));
}

/// A list that contains itself, or nearly so, ends in a sentence.
constexpr int max_depth = 100;

Value converted(const py::handle& object, const SourcePos& pos, int depth);

Value sequence(const py::handle& object, const SourcePos& pos, int depth) {
  Value out;
  out.kind = Value::Kind::sequence;
  out.pos = pos;
  for (const py::handle item : object) out.items.push_back(converted(item, pos, depth));
  return out;
}

Value mapping(const py::handle& object, const SourcePos& pos, int depth) {
  Value out;
  out.kind = Value::Kind::mapping;
  out.pos = pos;
  for (const py::handle item : object.attr("items")()) {
    const auto pair = py::cast<py::tuple>(item);
    out.map.emplace_back(utf8(py::str(pair[0])), converted(pair[1], pos, depth));
    out.key_pos.push_back(pos);
  }
  return out;
}

Value converted(const py::handle& object, const SourcePos& pos, int depth) {
  if (++depth > max_depth)
    throw py::value_error("lists and mappings are nested too deeply to be a value of a model");
  if (object.is_none()) {
    Value out;
    out.pos = pos;
    return out;
  }
  if (py::isinstance<py::bool_>(object)) return scalar(object.cast<bool>() ? "true" : "false", pos);
  if (py::isinstance<py::str>(object)) return scalar(utf8(object), pos);
  if (py::isinstance<py::int_>(object)) return scalar(py::str(object).cast<std::string>(), pos);
  // With all digits: reading the text again gives the same number.
  if (py::isinstance<py::float_>(object)) return scalar(fmt::format("{}", object.cast<double>()), pos);
  if (py::hasattr(object, "items")) return mapping(object, pos, depth);
  if (py::hasattr(object, "tolist")) return converted(object.attr("tolist")(), pos, depth);  // NumPy
  if (py::isinstance<py::iterable>(object) && !py::isinstance<py::bytes>(object))
    return sequence(object, pos, depth);
  refuse(object);
}

}  // namespace

Value from_python(const py::handle& object, const SourcePos& pos) {
  return converted(object, pos, 0);
}

py::object to_python(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return py::none();
    case Value::Kind::sequence: {
      py::tuple out(value.items.size());
      for (std::size_t i = 0; i < value.items.size(); ++i) out[i] = to_python(value.items[i]);
      return out;
    }
    case Value::Kind::mapping: {
      py::dict out;
      for (const auto& [key, item] : value.map) out[py::str(key)] = to_python(item);
      return out;
    }
    case Value::Kind::scalar:
      break;
  }
  if (!value.quoted) {
    const char *begin = value.text.data(), *end = begin + value.text.size();
    if (value.text == "true" || value.text == "false") return py::bool_(value.text == "true");
    long integer = 0;
    if (const auto read = std::from_chars(begin, end, integer); read.ec == std::errc() && read.ptr == end)
      return py::int_(integer);
    double number = 0;
    if (const auto read = std::from_chars(begin, end, number); read.ec == std::errc() && read.ptr == end)
      return py::float_(number);
  }
  return py::str(value.text);
}

}  // namespace tappet::python
