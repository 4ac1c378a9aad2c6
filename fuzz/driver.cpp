// Runs a target without a fuzzing engine, with any compiler:
//
//   fuzz --list
//   fuzz TARGET FILE...                                   these inputs
//   fuzz TARGET [--executions N] [--seconds S] [--from N] [--findings FOLDER]
//                                                         the corpus, then neighbours of it, numbered from N
//   fuzz TARGET --tally FOLDER [...]                      goes on behind the last number of FOLDER/TARGET, which counts what was done
//   fuzz TARGET --show N                                  what number N stands for, where inputs are numbers
//   fuzz TARGET --write FOLDER                            its seeds and words, for libFuzzer: scripts/fuzz does that
//
// Inputs run in a child. One that ends it (a signal, a sanitiser's report, an exception that the target does not take for an answer, more
// than `max_seconds` of processor time, more than `max_memory`) is a finding: it is kept in FOLDER, and the next child goes on behind it.
// Exit status: 0 without findings, else 1.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "names.hpp"
#include "seeds.hpp"
#include "target.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAPPET_SANITISED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAPPET_SANITISED 1
#endif
#endif

namespace tappet::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

/// Processor time of one input. Set where the slowest example has room for ten times its own.
#ifdef TAPPET_SANITISED
constexpr int max_seconds = 60;
#else
constexpr int max_seconds = 10;
constexpr rlim_t max_memory = rlim_t{3} << 30;
#endif
constexpr int exception_status = 77;
constexpr std::size_t max_kept_findings = 50;

/// What the child leaves behind.
struct Shared {
  unsigned long done = 0;  ///< inputs, the one at hand not among them
  double seconds = 0;      ///< of the processor
  std::size_t size = 0;
  char what[512] = {};
  char input[4 << 20] = {};
};

struct Options {
  std::string target, findings = "findings", write, tally;
  std::vector<std::string> files;
  unsigned long executions = 0, from = 0;
  double seconds = 0;
  std::string show;
};

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// One input, in the child: does not return from a finding.
void run_one(const FuzzTarget& target, const std::string& input, Shared& shared) {
  shared.size = std::min(input.size(), sizeof shared.input);
  std::memcpy(shared.input, input.data(), shared.size);
  const itimerval limit{.it_interval = {0, 0}, .it_value = {max_seconds, 0}};
  ::setitimer(ITIMER_VIRTUAL, &limit, nullptr);
  try {
    target.run(input);
  } catch (const std::exception& error) {
    std::snprintf(shared.what, sizeof shared.what, "%s", error.what());
    ::_exit(exception_status);
  } catch (...) {
    std::snprintf(shared.what, sizeof shared.what, "an exception of unknown type");
    ::_exit(exception_status);
  }
  ++shared.done;
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What was done with a target in all runs so far, kept in a file while it goes on.
struct Tally {
  std::string file;
  unsigned long executions = 0, next = 0, findings = 0;
  double seconds = 0;

  explicit Tally(std::string name) : file(std::move(name)) {
    std::ifstream in(file);
    for (std::string word; in >> word;) {
      if (word == "executions") in >> executions;
      if (word == "next") in >> next;
      if (word == "findings") in >> findings;
      if (word == "seconds") in >> seconds;
    }
  }
  void write() const {
    const std::string beside = file + ".new";
    std::ofstream(beside) << fmt::format("executions {}\nnext {}\nfindings {}\nseconds {:.1f}\n", executions,
                                         next, findings, seconds);
    std::filesystem::rename(beside, file);
  }
};

class Campaign {
 public:
  Campaign(const FuzzTarget& target, Options options)
      : target_(target), options_(std::move(options)), start_(Clock::now()) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
    shared_ = new (memory) Shared;
    if (target.prepare) target.prepare();
    if (!options_.tally.empty()) {
      std::filesystem::create_directories(options_.tally);
      tally_.emplace(options_.tally + "/" + target.name);
      options_.from = std::max(options_.from, tally_->next);
    }
    if (options_.files.empty()) {
      seeds_ = seeds_of(target);
    } else {
      for (const std::string& file : options_.files) seeds_.push_back(content(file));
    }
    // A campaign that is broken off after seconds goes through the corpus once.
    if (tally_ && tally_->executions >= seeds_.size()) shared_->done = skipped_ = seeds_.size();
  }

  int run() {
    const unsigned long total = options_.files.empty() ? options_.executions : 0;
    while (!over(total)) {
      std::fflush(nullptr);
      const pid_t child = ::fork();
      if (child < 0) throw std::runtime_error("a child cannot be started");
      if (child == 0) work(total);
      int status = 0;
      if (tally_) {
        for (int tenths = 1; ::waitpid(child, &status, WNOHANG) == 0; ++tenths) {
          ::usleep(100'000);
          if (tenths % 50 == 0) count(0);
        }
        count(shared_->seconds);
      } else {
        ::waitpid(child, &status, 0);
      }
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
      keep_finding(status);
      ++shared_->done;
      if (kinds_.size() >= max_kept_findings) break;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    fmt::print("{}: {} inputs ({} of them the corpus) in {:.1f} s, {} findings of {} kinds\n", target_.name,
               shared_->done - skipped_, std::min<std::size_t>(seeds_.size(), shared_->done) - skipped_,
               seconds, found_, kinds_.size());
    if (tally_) count(0);
    return found_ == 0 ? 0 : 1;
  }

 private:
  /// `seconds`: of a child that has ended.
  void count(double seconds) {
    ended_seconds_ += seconds;
    Tally now = *tally_;
    now.executions += shared_->done - skipped_;
    now.findings += found_;
    now.next = options_.from + shared_->done - std::min<unsigned long>(shared_->done, seeds_.size());
    now.seconds += ended_seconds_ + (seconds > 0 ? 0 : shared_->seconds);
    if (seconds > 0) shared_->seconds = 0;
    now.write();
  }

  bool over(unsigned long total) const {
    if (shared_->done < seeds_.size()) return false;
    if (options_.seconds > 0 &&
        std::chrono::duration<double>(Clock::now() - start_).count() > options_.seconds)
      return true;
    return options_.seconds > 0 && total == 0 ? false : shared_->done >= seeds_.size() + total;
  }

  [[noreturn]] void work(unsigned long total) {
#ifndef TAPPET_SANITISED
    const rlimit memory{max_memory, max_memory};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit no_cores{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_cores);
    while (!over(total)) {
      const unsigned long at = shared_->done;
      if (tally_ && at % 64 == 0) shared_->seconds = processor_seconds();
      run_one(
          target_,
          at < seeds_.size() ? seeds_[at] : neighbour(target_, seeds_, options_.from + at - seeds_.size()),
          *shared_);
    }
    shared_->seconds = processor_seconds();
    ::_exit(0);
  }

  void keep_finding(int status) {
    ++found_;
    std::string what;
    if (WIFSIGNALED(status)) {
      what = WTERMSIG(status) == SIGVTALRM ? fmt::format("more than {} s", max_seconds)
                                           : ::strsignal(WTERMSIG(status));
    } else if (WEXITSTATUS(status) == exception_status) {
      what = shared_->what;
    } else {
      what = fmt::format("exit status {} (a sanitiser's report?)", WEXITSTATUS(status));
    }
    // Messages that differ by numbers or by what is quoted are of one kind.
    std::string kind;
    bool quoted = false;
    for (const char c : what) {
      if (c == '\'') quoted = !quoted;
      if (!quoted && (c < '0' || c > '9')) kind += c;
    }
    const unsigned long number =
        options_.from + shared_->done - std::min<unsigned long>(shared_->done, seeds_.size());
    if (++kinds_[kind] > 5) return;
    std::filesystem::create_directories(options_.findings);
    const std::string file = fmt::format("{}/{}-{}{}", options_.findings, target_.name,
                                         shared_->done < seeds_.size() ? "seed-" : "",
                                         shared_->done < seeds_.size() ? shared_->done : number);
    std::ofstream(file, std::ios::binary).write(shared_->input, static_cast<std::streamsize>(shared_->size));
    fmt::print("{}: finding: {}; kept as {}\n", target_.name, what, file);
  }

  const FuzzTarget& target_;
  Options options_;
  Clock::time_point start_;
  Shared* shared_ = nullptr;
  std::vector<std::string> seeds_;
  unsigned long found_ = 0;
  std::map<std::string, unsigned long> kinds_;
  std::optional<Tally> tally_;
  unsigned long skipped_ = 0;  ///< inputs of the corpus that were tried in an earlier run
  double ended_seconds_ = 0;
};

/// Seeds as files, and the words as a dictionary of libFuzzer's.
void write_seeds(const FuzzTarget& target, const std::string& folder) {
  std::filesystem::create_directories(folder + "/corpus");
  const auto seeds = seeds_of(target);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    std::ofstream(fmt::format("{}/corpus/seed-{}", folder, i), std::ios::binary) << seeds[i];
  std::ofstream dictionary(folder + "/words.dict");
  for (const std::string& word : target.names ? known_words() : target.words) {
    std::string escaped;
    for (const char c : word) escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    dictionary << '"' << escaped << "\"\n";
  }
}

int list() {
  for (const FuzzTarget& target : TargetRegistry::instance().entries())
    fmt::print("{:<12}{}\n", target.name, target.help);
  return 0;
}

int main(int count, char** arguments) {
  Options options;
  std::vector<std::string> words(arguments + 1, arguments + count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = [&] {
      if (++i >= words.size()) throw std::runtime_error(words[i - 1] + " needs a value");
      return words[i];
    };
    if (words[i] == "--list") return list();
    if (words[i] == "--executions") {
      options.executions = std::stoul(value());
    } else if (words[i] == "--seconds") {
      options.seconds = std::stod(value());
    } else if (words[i] == "--from") {
      options.from = std::stoul(value());
    } else if (words[i] == "--findings") {
      options.findings = value();
    } else if (words[i] == "--tally") {
      options.tally = value();
    } else if (words[i] == "--write") {
      options.write = value();
    } else if (words[i] == "--show") {
      options.show = value();
    } else if (words[i].starts_with("--")) {
      throw std::runtime_error("there is no option " + words[i]);
    } else if (options.target.empty()) {
      options.target = words[i];
    } else {
      options.files.push_back(words[i]);
    }
  }
  const FuzzTarget* target = TargetRegistry::instance().find(options.target);
  if (!target)
    throw std::runtime_error("there is no target '" + options.target + "'; fuzz --list names them");
  if (!options.show.empty()) {
    if (!target->show) throw std::runtime_error("inputs of this target are not numbers");
    fmt::print("{}", target->show(std::stoul(options.show)));
    return 0;
  }
  if (!options.write.empty()) return write_seeds(*target, options.write), 0;
  return Campaign(*target, options).run();
}

}  // namespace
}  // namespace tappet::fuzz

int main(int count, char** arguments) {
  try {
    return tappet::fuzz::main(count, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "fuzz: {}\n", error.what());
    return 2;
  }
}
