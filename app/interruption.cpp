#include "interruption.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace tappet::app {

namespace {

volatile std::sig_atomic_t noted = 0;
// Set before the handler is, and never taken away while it listens: studies live as long as their command.
std::atomic<Watch*> watched = nullptr;

void note(int signal) {
  noted = signal;
  if (Watch* watch = watched) watch->stop = true;
}

}  // namespace

void listen_for_signals(Watch* watch) {
  watched = watch;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Under nohup a hang-up stays ignored.
    struct sigaction old {};
    ::sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

int stop_signal() {
  return noted;
}

std::string interruption() {
  return fmt::format("interrupted ({})", noted == SIGINT ? "Ctrl-C" : ::strsignal(noted));
}

struct StudyTerminal::Impl {
  Watch watch;
  std::string noun;
  std::mutex mutex;
  std::condition_variable end;
  bool ended = false;
  ProgressLine line;
  std::thread ticker;

  Impl(bool progress, std::string what) : noun(std::move(what)), line(progress) {}

  void tick() {
    std::unique_lock lock(mutex);
    while (!end.wait_for(lock, std::chrono::milliseconds(200), [&] { return ended; })) {
      const double done = watch.done, all = watch.all;
      if (!watch.stop && all > 0)
        line.update(done, all, [&] { return fmt::format("{:.1f} of {:g} {}", done, all, noun); });
    }
  }
};

StudyTerminal::StudyTerminal(bool progress, const std::string& noun)
    : impl_(std::make_unique<Impl>(progress, noun)) {
  listen_for_signals(&impl_->watch);
  impl_->ticker = std::thread([this] { impl_->tick(); });
}

StudyTerminal::~StudyTerminal() {
  finish();
  watched = nullptr;
}

Watch& StudyTerminal::watch() {
  return impl_->watch;
}

void StudyTerminal::aside(const std::function<void()>& action) {
  const std::lock_guard lock(impl_->mutex);
  impl_->line.clear();
  action();
}

void StudyTerminal::finish() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->ended = true;
  }
  impl_->end.notify_all();
  if (impl_->ticker.joinable()) impl_->ticker.join();
  impl_->line.clear();
}

}  // namespace tappet::app
