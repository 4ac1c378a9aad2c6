// Writes a solver's note. Apart from solver.hpp, whose users need not know how text is made.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tappet/lcp/solver.hpp"

namespace tappet::lcp {

template <class... Args>
void append_note(Note& note, fmt::format_string<Args...> format, Args&&... args) {
  const std::span<char> room = note.room();
  char* const end = fmt::format_to_n(room.data(), room.size(), format, std::forward<Args>(args)...).out;
  note.extend(static_cast<std::size_t>(end - room.data()));
}

template <class... Args>
void set_note(Note& note, fmt::format_string<Args...> format, Args&&... args) {
  note.clear();
  append_note(note, format, std::forward<Args>(args)...);
}

}  // namespace tappet::lcp
