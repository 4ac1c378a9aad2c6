// Ctrl-C and its like: the first asks the work to end in good order, the second ends the program at once.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "progress.hpp"
#include "tappet/studies/watch.hpp"

namespace tappet::app {

/// From now on SIGINT, SIGTERM and SIGHUP are only noted, and passed on to the watch, if there is one.
void listen_for_signals(Watch* watch = nullptr);
/// The signal that asked the work to end; 0: none did.
int stop_signal();
/// "interrupted (Ctrl-C)".
std::string interruption();

/// Watches a study on the terminal: a line that says how far it has come, and signals that end it.
class StudyTerminal {
 public:
  /// `noun`: what is counted, in the plural. Shows nothing unless wanted; signals are heard in any case.
  StudyTerminal(bool progress, const std::string& noun);
  ~StudyTerminal();
  Watch& watch();
  /// Does something with the terminal while the line is away.
  void aside(const std::function<void()>& action);
  /// Takes the line away for good.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tappet::app
