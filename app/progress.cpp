#include "progress.hpp"

#include <unistd.h>

#include <fmt/format.h>

namespace tappet::app {

namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : wanted_(wanted && ::isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

void ProgressLine::show(double done, double all, const std::string& text) {
  const auto now = Clock::now();
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  // Only what this process did tells how fast it is.
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = done > first_ ? duration(elapsed * (all - done) / (done - first_)) + " left" : "";
  fmt::print(stderr, "\r\033[K{:3.0f} %   {}   {}", all > 0 ? 100 * done / all : 0.0, text, left);
  std::fflush(stderr);
}

}  // namespace tappet::app
