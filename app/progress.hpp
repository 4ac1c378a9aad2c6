// One line on the terminal that work of more than a second keeps up to date: share done, what, time left.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tappet::app {

class ProgressLine {
 public:
  /// Shows nothing unless wanted and standard error is a terminal.
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Takes the line away; the next update() brings it back.
  void clear();

  /// `text` is asked for what to say only when it is time to say it.
  template <class Text>
  void update(double done, double all, Text text) {
    if (!wanted_) return;
    if (!begun_) first_ = done, begun_ = true;
    if (Clock::now() >= next_) show(done, all, text());
  }

 private:
  using Clock = std::chrono::steady_clock;
  void show(double done, double all, const std::string& text);

  bool wanted_, shown_ = false, begun_ = false;
  double first_ = 0;  ///< where this process began: resumed work begins in the middle
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(1);
};

}  // namespace tappet::app
