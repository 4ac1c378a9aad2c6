// A value of a type that its holder does not know: what one method or one integrator remembers, in a state that all share.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>

#include "tappet/base/value_stream.hpp"

namespace tappet {

/// Copies and compares what it holds. A type T that it can hold has a defaulted ==, a free fields(FieldVisitor&, T&) and its
/// name for messages, T::kind.
class AnyValue {
 public:
  AnyValue() = default;
  AnyValue(const AnyValue& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  AnyValue(AnyValue&&) noexcept = default;
  AnyValue& operator=(const AnyValue& other) {
    if (this != &other) held_ = other.held_ ? other.held_->copy() : nullptr;
    return *this;
  }
  AnyValue& operator=(AnyValue&&) noexcept = default;

  bool operator==(const AnyValue& other) const {
    if (!held_ || !other.held_) return !held_ && !other.held_;
    return held_->equals(*other.held_);
  }

  bool empty() const { return !held_; }
  std::string kind() const { return held_ ? held_->kind() : ""; }

  /// What it holds; made with its defaults at the first call.
  template <class T>
  T& as() {
    if (!held_) held_ = std::make_unique<Holder<T>>();
    return const_cast<T&>(std::as_const(*this).template get<T>());
  }
  /// Throws std::invalid_argument when it holds something else, or nothing.
  template <class T>
  const T& get() const {
    const Base* held = held_.get();
    if (!held || typeid(*held) != typeid(Holder<T>))
      throw std::invalid_argument(std::string("the memory of '") + T::kind + "' is wanted, but there is " +
                                  (held_ ? "that of '" + kind() + "'" : "none"));
    return static_cast<const Holder<T>*>(held)->value;
  }

  void visit(FieldVisitor& v) {
    if (held_) held_->visit(v);
  }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual std::unique_ptr<Base> copy() const = 0;
    virtual bool equals(const Base& other) const = 0;
    virtual std::string kind() const = 0;
    virtual void visit(FieldVisitor& v) = 0;
  };
  template <class T>
  struct Holder final : Base {
    T value{};
    std::unique_ptr<Base> copy() const override { return std::make_unique<Holder>(*this); }
    bool equals(const Base& other) const override {
      const auto* same = dynamic_cast<const Holder*>(&other);
      return same && same->value == value;
    }
    std::string kind() const override { return T::kind; }
    void visit(FieldVisitor& v) override { fields(v, value); }
  };
  std::unique_ptr<Base> held_;
};

}  // namespace tappet
