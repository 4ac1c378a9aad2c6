// tappet view: the report's page from a server on this machine, live while the run goes on, with a slider for
// every number of the model.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "http_server.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/result_file.hpp"
#include "tappet/spec/numeric_values.hpp"
#include "tappet/spec/spec.hpp"

extern char** environ;

namespace tappet::app::view_command {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

volatile std::sig_atomic_t end_asked = 0;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder for what runs write, gone with the program.
class WorkFolder {
 public:
  WorkFolder() {
    std::string pattern = (fs::temp_directory_path() / "tappet-view-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      refuse(fs::temp_directory_path().string(),
             fmt::format("cannot be written to: {}", std::strerror(errno)));
    path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// `tappet run` as a process of its own, so that a run can be broken off at any moment.
class Runner {
 public:
  Runner() = default;
  ~Runner() { stop(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void start(const std::string& model, const std::string& result, const std::string& log,
             const std::vector<std::string>& settings) {
    stop();
    std::vector<std::string> words = {"tappet", "run", model, "-o", result, "--quiet"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const int failure = ::posix_spawn(&child_, self.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
      child_ = 0;
      refuse("view", fmt::format("the run cannot be started: {}", std::strerror(failure)));
    }
  }

  bool running() {
    if (child_ > 0 && ::waitpid(child_, nullptr, WNOHANG) != 0) child_ = 0;
    return child_ > 0;
  }

  void stop() {
    if (!running()) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
};

/// What the page asks for.
class View {
 public:
  explicit View(const std::string& file) {
    if (is_result_file(file)) {
      result_ = file;
      const ResultHeader header = ResultFile(file).header();
      begin(header.model_text, header.model_file);
    } else {
      // Faults of the model are said here and now.
      const Spec spec = load_spec(file);
      begin(spec.model_text, file);
      run({});
    }
  }

  HttpResponse answer(const HttpRequest& request) {
    try {
      if (request.method == "GET" && request.path == "/") return page();
      if (request.method == "GET" && request.path == "/api/state") return json(state());
      if (request.method == "GET" && request.path == "/api/parameters") return json(parameters());
      if (request.method == "GET" && request.path == "/api/data")
        return {.type = "application/json", .body = data()};
      if (request.method == "POST" && request.path == "/api/run") return run_asked(request);
    } catch (const InputError& error) {
      return {.status = 409, .body = error.diagnostics().front().text()};
    }
    return {.status = 404, .body = "there is no such page"};
  }

 private:
  static HttpResponse json(const Json& json) {
    return {.type = "application/json", .body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
  }

  void begin(const std::string& model_text, const std::string& name) {
    name_ = name;
    text_ = model_text;
    std::ofstream(model(), std::ios::binary) << model_text;
  }
  std::string model() const { return (folder_ / "model.yaml").string(); }
  std::string log() const { return (folder_ / "log").string(); }

  void run(const std::vector<std::string>& settings) {
    const std::string old = result_;
    const bool own = number_ > 0;
    const std::string result = (folder_ / fmt::format("run{}.h5", ++number_)).string();
    runner_.start(model(), result, log(), settings);
    result_ = result;
    if (std::error_code ignored; own) fs::remove(old, ignored);
  }

  HttpResponse run_asked(const HttpRequest& request) {
    if (!request.own) return {.status = 403, .body = "only from this server's own page"};
    const Json asked = Json::parse(request.body, nullptr, false);
    if (!asked.is_object() || !asked.contains("settings") || !asked["settings"].is_array())
      return {.status = 400, .body = "expected {\"settings\": [\"path=value\", ...]}"};
    std::vector<std::string> settings;
    for (const Json& setting : asked["settings"])
      if (setting.is_string()) settings.push_back(setting.get<std::string>());
    // A value that is not allowed leaves the picture as it is, and says why.
    spec_from_text(text_, name_, settings);
    run(settings);
    return json(state());
  }

  /// `version` changes whenever the data does.
  Json state() {
    const bool running = runner_.running();
    std::string version = fmt::format("{}:0", number_), problem, status;
    try {
      const ResultFile result(result_);
      status = result.status();
      version = fmt::format("{}:{}:{}", number_, result.rows(), status);
    } catch (const InputError&) {
      // not there yet, or never: the log says why
    }
    if (!running && number_ > 0) problem = read_file(log());
    return {{"version", version},
            {"running", running || (number_ == 0 && status == "running")},
            {"problem", problem}};
  }

  Json parameters() const {
    Json out = Json::array();
    for (const NumericValue& value : numeric_values(read_yaml_text(text_, name_)))
      out.push_back({{"path", value.path}, {"number", value.number}, {"unit", value.unit}});
    return {{"model", name_}, {"values", out}};
  }

  std::string data() const { return report_data(ResultFile(result_), 2'000'000); }

  HttpResponse page() const {
    std::vector<std::string> runs;
    try {
      if (const ResultFile result(result_); result.rows() > 1) runs.push_back(data());
    } catch (const InputError&) {
      // the page asks again
    }
    return {.type = "text/html; charset=utf-8", .body = report_page(runs, true)};
  }

  WorkFolder folder_;
  Runner runner_;
  std::string name_, text_, result_;
  int number_ = 0;  ///< of the runs begun here
};

int view(const std::string& file, int port) {
  require_viewer();
  View view(file);
  HttpServer server(port);
  struct sigaction action {};
  action.sa_handler = [](int) { end_asked = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  fmt::print("  {:<22}http://127.0.0.1:{}/   (Ctrl-C ends it)\n", "view", server.port());
  std::fflush(stdout);
  while (end_asked == 0)
    server.serve([&](const HttpRequest& request) { return view.answer(request); }, std::chrono::seconds(1));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  struct Options {
    std::string file;
    int port = 0;
  };
  auto options = std::make_shared<Options>();
  command.add_option("FILE", options->file, "a result, finished or still running, or a model to run")
      ->required();
  command.add_option("--port", options->port, "of this machine; default: any that is free")
      ->check(CLI::Range(0, 65535));
  return [options] { return view(options->file, options->port); };
}

const Registration<Command> registered{
    {.name = "view",
     .help = "show a result or a model in the browser, live, with a slider for every number",
     .place = 44,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::view_command
