// tappet view: the report's page from a server on this machine, live while the run goes on, with a slider for
// every number of the model.

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
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
#include "tappet/base/input_file.hpp"
#include "tappet/model/compile.hpp"
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

  struct Job {
    std::string model, name, result, log;        ///< the text, and the file that it stands for
    std::vector<std::string> settings, folders;  ///< from which files may be read
  };
  void start(const Job& job) {
    stop();
    std::vector<std::string> words = {"tappet",   "run",     job.model,      "-o",
                                      job.result, "--quiet", "--stands-for", job.name};
    for (const std::string& folder : job.folders) words.insert(words.end(), {"--files-from", folder});
    for (const std::string& setting : job.settings) words.insert(words.end(), {"--set", setting});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, job.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
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
  /// `allowed`: folders besides the model's own from which the model may read meshes and tables.
  View(const std::string& file, const std::vector<std::string>& allowed) : folders_(allowed) {
    if (is_result_file(file)) {
      result_ = file;
      const ResultHeader header = ResultFile(file).header();
      read_from_folder_of(header.model_file);
      begin(header.model_text, header.model_file);
    } else {
      // Faults of the model are said here and now.
      read_from_folder_of(file);
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

  void read_from_folder_of(const std::string& name) {
    const std::string folder = fs::path(name).parent_path().string();
    folders_.insert(folders_.begin(), folder.empty() ? "." : folder);
    read_only_from(folders_);
  }

  void begin(const std::string& model_text, const std::string& name) {
    name_ = name;
    text_ = model_text;
    std::ofstream out(model(), std::ios::binary);
    out << model_text;
    if (!out.flush()) refuse(model(), fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  std::string model() const { return (folder_ / "model.yaml").string(); }
  std::string log() const { return (folder_ / "log").string(); }

  void run(const std::vector<std::string>& settings) {
    const std::string result = (folder_ / fmt::format("run{}.h5", ++number_)).string();
    runner_.start({.model = model(),
                   .name = name_,
                   .result = result,
                   .log = log(),
                   .settings = settings,
                   .folders = folders_});
    settings_ = settings;
    if (has_rows(result_)) drawn_ = result_;
    result_ = result;
    // What was drawn stays until there is something else.
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder_ / ""))
      if (file.path().extension() == ".h5" && file.path() != fs::path(drawn_) &&
          file.path() != fs::path(result_))
        fs::remove(file.path(), ignored);
  }

  static bool has_rows(const std::string& result) {
    try {
      return !result.empty() && ResultFile(result).rows() > 1;
    } catch (const InputError&) {
      return false;
    }
  }

  /// The model stands in a file of our own while it runs; people know it by its name.
  std::string with_own_name(std::string text) const {
    for (std::size_t at = 0; (at = text.find(model(), at)) != std::string::npos; at += name_.size())
      text.replace(at, model().size(), name_);
    return text;
  }

  HttpResponse run_asked(const HttpRequest& request) {
    const Json asked = Json::parse(request.body, nullptr, false);
    if (!asked.is_object() || !asked.contains("settings") || !asked["settings"].is_array())
      return {.status = 400, .body = "expected {\"settings\": [\"path=value\", ...]}"};
    std::vector<std::string> settings;
    for (const Json& setting : asked["settings"]) {
      if (!setting.is_string() || !is_number_of_model(setting.get<std::string>()))
        return {.status = 400, .body = "only numbers of the model can be set here"};
      settings.push_back(setting.get<std::string>());
    }
    // A value that is not allowed leaves the picture as it is, and says why.
    Diagnostics diagnostics;
    compile(spec_from_text(text_, name_, settings), diagnostics);
    run(settings);
    return json(state());
  }

  /// "PATH=NUMBER UNIT" for a path that the page has a slider for: nothing that could name a file, or be anything else.
  bool is_number_of_model(const std::string& setting) const {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return false;
    const std::string path = setting.substr(0, equals), value = setting.substr(equals + 1);
    double number = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool plain = std::all_of(end, value.data() + value.size(), [](unsigned char c) {
      return std::isalnum(c) || c == ' ' || c == '*' || c == '/' || c == '^' || c == '-';
    });
    if (fault != std::errc() || !plain) return false;
    const auto all = numeric_values(read_yaml_text(text_, name_));
    return std::any_of(all.begin(), all.end(), [&](const NumericValue& one) { return one.path == path; });
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
    if (!running && number_ > 0) problem = with_own_name(read_file(log()));
    return {{"version", version},
            {"running", running || (number_ == 0 && status == "running")},
            {"problem", problem}};
  }

  Json parameters() const {
    Json out = Json::array();
    for (const NumericValue& value : numeric_values(read_yaml_text(text_, name_)))
      out.push_back({{"path", value.path}, {"number", value.number}, {"unit", value.unit}});
    return {{"model", name_}, {"values", out}, {"settings", settings_}};
  }

  std::string data() const {
    return with_own_name(
        report_data(ResultFile(has_rows(result_) || drawn_.empty() ? result_ : drawn_), 2'000'000));
  }

  HttpResponse page() const {
    std::vector<std::string> runs;
    try {
      if (has_rows(result_) || has_rows(drawn_)) runs.push_back(data());
    } catch (const InputError&) {
      // the page asks again
    }
    return {.type = "text/html; charset=utf-8", .body = report_page(runs, true)};
  }

  WorkFolder folder_;
  Runner runner_;
  std::string name_, text_, result_;
  std::vector<std::string> folders_;
  std::string drawn_;  ///< an earlier result, shown as long as `result_` has nothing to show
  std::vector<std::string> settings_;
  int number_ = 0;  ///< of the runs begun here
};

int view(const std::string& file, int port, const std::vector<std::string>& allowed) {
  require_viewer();
  View view(file, allowed);
  HttpServer server(port);
  struct sigaction action {};
  action.sa_handler = [](int) { end_asked = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  fmt::print("  {:<22}http://127.0.0.1:{}/?token={}   (Ctrl-C ends it)\n", "view", server.port(),
             server.token());
  std::fflush(stdout);
  while (end_asked == 0)
    server.serve([&](const HttpRequest& request) { return view.answer(request); }, std::chrono::seconds(1));
  return Exit::done;
}

std::function<int()> set_up(CLI::App& command) {
  struct Options {
    std::string file;
    int port = 0;
    std::vector<std::string> allowed;
  };
  auto options = std::make_shared<Options>();
  command.add_option("FILE", options->file, "a result, finished or still running, or a model to run")
      ->required();
  command.add_option("--port", options->port, "of this machine; default: any that is free")
      ->check(CLI::Range(0, 65535));
  command
      .add_option(
          "--allow", options->allowed,
          "a folder, besides the model's own, from which it may read meshes and tables; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
  return [options] { return view(options->file, options->port, options->allowed); };
}

const Registration<Command> registered{
    {.name = "view",
     .help = "show a result or a model in the browser, live, with a slider for every number",
     .place = 44,
     .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::view_command
