#include "tappet/fmi/instance.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "tappet/fmi/fmi2.hpp"
#include "tappet/fmi/fmi3.hpp"

namespace tappet::fmi {

namespace fs = std::filesystem;

class Library {
 public:
  explicit Library(const std::shared_ptr<const Package>& package) : package(package) {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "tappet-fmu-XXXXXX").string();
    if (error || !::mkdtemp(pattern.data()))
      throw InstanceError("cannot be unpacked: no folder can be made in the temporary directory (TMPDIR)");
    folder = pattern;
    try {
      unpack();
      // Its names stay its own; what it misses is said now and not in the middle of a run.
      handle_ = ::dlopen((folder / package->binary).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!handle_) throw InstanceError(fmt::format("cannot be loaded: {}", ::dlerror()));
    } catch (...) {
      remove();
      throw;
    }
  }
  ~Library() {
    if (handle_) ::dlclose(handle_);
    remove();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// A function that it must have.
  template <class Function>
  Function* function(const char* name) const {
    void* found = ::dlsym(handle_, name);
    if (!found) throw InstanceError(fmt::format("has no function '{}'", name));
    return reinterpret_cast<Function*>(found);
  }
  std::string resources() const { return (folder / "resources").string(); }

  const std::shared_ptr<const Package> package;
  fs::path folder;
  std::mutex making;  // of instances
  int instances = 0;

 private:
  void unpack() const {
    const std::string binaries = package->binary.substr(0, package->binary.rfind('/') + 1);
    fs::create_directories(folder / "resources");
    for (const std::string& name : package->archive->names()) {
      if (!name.starts_with("resources/") && !name.starts_with(binaries)) continue;
      std::string bytes;
      try {
        bytes = package->archive->read(name);
      } catch (const ArchiveError& error) {
        throw InstanceError(error.what());
      }
      const fs::path file = folder / name;  // names were checked as the archive was read
      fs::create_directories(file.parent_path());
      std::ofstream out(file, std::ios::binary);
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      out.close();
      if (!out) throw InstanceError(fmt::format("cannot be unpacked into '{}'", file.string()));
    }
  }
  void remove() const {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  void* handle_ = nullptr;
};

std::shared_ptr<Library> load(const std::shared_ptr<const Package>& package) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<Library>> loaded;
  const std::lock_guard lock(mutex);
  std::erase_if(loaded, [](const auto& entry) { return entry.second.expired(); });
  if (auto known = loaded[package->hash].lock()) return known;
  auto out = std::make_shared<Library>(package);
  loaded[package->hash] = out;
  return out;
}

namespace {

/// What it said last that was not good, for the sentence about what it refuses.
struct Said {
  std::string words;

  void note(bool good, const char* message) {
    constexpr std::size_t most = 1000;
    if (good || !message) return;
    words = std::string(message).substr(0, most);
    while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  }
};

/// The place in the process that an instance takes.
class Seat {
 public:
  explicit Seat(std::shared_ptr<Library> library) : library_(std::move(library)) {
    const std::lock_guard lock(library_->making);
    if (library_->package->description.only_once_per_process && library_->instances > 0)
      throw InstanceError(
          "can be instantiated only once per process (canBeInstantiatedOnlyOncePerProcess), and it is "
          "already");
    ++library_->instances;
  }
  ~Seat() {
    const std::lock_guard lock(library_->making);
    --library_->instances;
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  Library& operator*() const { return *library_; }
  Library* operator->() const { return library_.get(); }

 private:
  std::shared_ptr<Library> library_;
};

std::string failure(const char* function, int status, const Said& said) {
  constexpr const char* words[] = {"ok", "a warning", "discard", "an error", "a fatal error", "pending"};
  return fmt::format("answered {} with {}{}", function,
                     status >= 0 && status <= 5 ? words[status] : "an unknown status",
                     said.words.empty() ? "" : fmt::format(": \"{}\"", said.words));
}

std::string wrong_token(const Description& d, const Said& said) {
  return fmt::format("cannot be instantiated{}: {} '{}' may not be the one that its binary was made with",
                     said.words.empty() ? "" : fmt::format(", \"{}\"", said.words),
                     d.version == 2 ? "the guid" : "the instantiationToken", d.token);
}

// ---- FMI 2.0

extern "C" void note_fmi2(fmi2ComponentEnvironment to, fmi2String, fmi2Status status, fmi2String,
                          fmi2String message, ...) {
  if (!to || !message) return;
  char text[2000];
  std::va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  static_cast<Said*>(to)->note(status == fmi2OK, text);
}
extern "C" void* take_fmi2(std::size_t count, std::size_t size) {
  return std::calloc(count, size);
}
extern "C" void give_back_fmi2(void* memory) {
  std::free(memory);
}

class Instance2 final : public Instance {
 public:
  Instance2(std::shared_ptr<Library> library, const std::string& name, double stop,
            const std::vector<std::pair<const Variable*, double>>& before)
      : library_(std::move(library)) {
    const Description& d = library_->package->description;
    callbacks_ = {note_fmi2, take_fmi2, give_back_fmi2, nullptr, &said_};
    free_ = library_->function<fmi2FreeInstanceType>("fmi2FreeInstance");
    step_ = library_->function<fmi2DoStepType>("fmi2DoStep");
    const std::string resources = "file://" + library_->resources();
    {
      const std::lock_guard lock(library_->making);
      self_ = library_->function<fmi2InstantiateType>("fmi2Instantiate")(
          name.c_str(), fmi2CoSimulation, d.token.c_str(), resources.c_str(), &callbacks_, 0, 0);
    }
    if (!self_) throw InstanceError(wrong_token(d, said_));
    try {
      for (const auto& [variable, value] : before) set(*variable, value);
      check("fmi2SetupExperiment",
            library_->function<fmi2SetupExperimentType>("fmi2SetupExperiment")(self_, 0, 0, 0, 1, stop));
      transition("fmi2EnterInitializationMode");
    } catch (...) {
      free_(self_);
      throw;
    }
  }
  ~Instance2() override {
    const std::lock_guard lock(library_->making);
    free_(self_);
  }

  void set(const Variable& v, double value) override {
    switch (v.type) {
      case ValueType::real:
        return put<fmi2Real>("fmi2SetReal", v, value);
      case ValueType::integer:
        return put<fmi2Integer>("fmi2SetInteger", v, static_cast<fmi2Integer>(std::lround(value)));
      default:
        return put<fmi2Boolean>("fmi2SetBoolean", v, value != 0);
    }
  }
  double get(const Variable& v) override {
    switch (v.type) {
      case ValueType::real:
        return take<fmi2Real>("fmi2GetReal", v);
      case ValueType::integer:
        return take<fmi2Integer>("fmi2GetInteger", v);
      default:
        return take<fmi2Boolean>("fmi2GetBoolean", v) != 0;
    }
  }
  void begin() override { transition("fmi2ExitInitializationMode"); }
  void step(double from, double length) override { check("fmi2DoStep", step_(self_, from, length, 1)); }

  std::string memory() override {
    fmi2FMUstate state = nullptr;
    check("fmi2GetFMUstate", library_->function<fmi2StatePlaceType>("fmi2GetFMUstate")(self_, &state));
    std::size_t size = 0;
    std::string out;
    int status =
        library_->function<fmi2SerializedFMUstateSizeType>("fmi2SerializedFMUstateSize")(self_, state, &size);
    if (status <= fmi2Warning) {
      out.resize(size);
      status = library_->function<fmi2SerializeFMUstateType>("fmi2SerializeFMUstate")(self_, state,
                                                                                      out.data(), size);
    }
    library_->function<fmi2StatePlaceType>("fmi2FreeFMUstate")(self_, &state);
    check("fmi2SerializeFMUstate", status);
    return out;
  }
  void recall(const std::string& memory) override {
    fmi2FMUstate state = nullptr;
    check("fmi2DeSerializeFMUstate",
          library_->function<fmi2DeSerializeFMUstateType>("fmi2DeSerializeFMUstate")(self_, memory.data(),
                                                                                     memory.size(), &state));
    const int status = library_->function<fmi2SetFMUstateType>("fmi2SetFMUstate")(self_, state);
    library_->function<fmi2StatePlaceType>("fmi2FreeFMUstate")(self_, &state);
    check("fmi2SetFMUstate", status);
  }

 private:
  void check(const char* function, int status) const {
    if (status > fmi2Warning) throw InstanceError(failure(function, status, said_));
  }
  void transition(const char* name) { check(name, library_->function<fmi2TransitionType>(name)(self_)); }
  template <class Number>
  void put(const char* function, const Variable& v, Number value) {
    check(function, library_->function<fmi2SetType<Number>>(function)(self_, &v.reference, 1, &value));
  }
  template <class Number>
  Number take(const char* function, const Variable& v) {
    Number value = 0;
    check(function, library_->function<fmi2GetType<Number>>(function)(self_, &v.reference, 1, &value));
    return value;
  }

  Seat library_;
  Said said_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component self_ = nullptr;
  fmi2FreeInstanceType* free_ = nullptr;
  fmi2DoStepType* step_ = nullptr;
};

// ---- FMI 3.0

extern "C" void note_fmi3(fmi3InstanceEnvironment to, fmi3Status status, fmi3String, fmi3String message) {
  if (to) static_cast<Said*>(to)->note(status == fmi3OK, message);
}

class Instance3 final : public Instance {
 public:
  Instance3(std::shared_ptr<Library> library, const std::string& name, double stop,
            const std::vector<std::pair<const Variable*, double>>& before)
      : library_(std::move(library)) {
    const Description& d = library_->package->description;
    free_ = library_->function<fmi3FreeInstanceType>("fmi3FreeInstance");
    step_ = library_->function<fmi3DoStepType>("fmi3DoStep");
    const std::string resources = library_->resources() + "/";
    {
      const std::lock_guard lock(library_->making);
      self_ = library_->function<fmi3InstantiateCoSimulationType>("fmi3InstantiateCoSimulation")(
          name.c_str(), d.token.c_str(), resources.c_str(), false, false, false, false, nullptr, 0, &said_,
          note_fmi3, nullptr);
    }
    if (!self_) throw InstanceError(wrong_token(d, said_));
    try {
      for (const auto& [variable, value] : before) set(*variable, value);
      check("fmi3EnterInitializationMode",
            library_->function<fmi3EnterInitializationModeType>("fmi3EnterInitializationMode")(
                self_, false, 0, 0, true, stop));
    } catch (...) {
      free_(self_);
      throw;
    }
  }
  ~Instance3() override {
    const std::lock_guard lock(library_->making);
    free_(self_);
  }

  void set(const Variable& v, double value) override {
    switch (v.type) {
      case ValueType::real:
        return put<fmi3Float64>("fmi3SetFloat64", v, value);
      case ValueType::integer:
        return put<fmi3Int32>("fmi3SetInt32", v, static_cast<fmi3Int32>(std::lround(value)));
      default:
        return put<fmi3Boolean>("fmi3SetBoolean", v, value != 0);
    }
  }
  double get(const Variable& v) override {
    switch (v.type) {
      case ValueType::real:
        return take<fmi3Float64>("fmi3GetFloat64", v);
      case ValueType::integer:
        return take<fmi3Int32>("fmi3GetInt32", v);
      default:
        return take<fmi3Boolean>("fmi3GetBoolean", v) ? 1 : 0;
    }
  }
  void begin() override { transition("fmi3ExitInitializationMode"); }
  void step(double from, double length) override {
    bool event = false, terminate = false, early = false;
    double reached = from;
    check("fmi3DoStep", step_(self_, from, length, true, &event, &terminate, &early, &reached));
    if (terminate)
      throw InstanceError(fmt::format("asked for the end of the simulation at t = {:.9g} s", reached));
    if (early)
      throw InstanceError(
          fmt::format("returned early at t = {:.9g} s, which it was not allowed to", reached));
  }

  std::string memory() override {
    fmi3FMUState state = nullptr;
    check("fmi3GetFMUState", library_->function<fmi3StatePlaceType>("fmi3GetFMUState")(self_, &state));
    std::size_t size = 0;
    std::string out;
    int status =
        library_->function<fmi3SerializedFMUStateSizeType>("fmi3SerializedFMUStateSize")(self_, state, &size);
    if (status <= fmi3Warning) {
      out.resize(size);
      status = library_->function<fmi3SerializeFMUStateType>("fmi3SerializeFMUState")(
          self_, state, reinterpret_cast<fmi3Byte*>(out.data()), size);
    }
    library_->function<fmi3StatePlaceType>("fmi3FreeFMUState")(self_, &state);
    check("fmi3SerializeFMUState", status);
    return out;
  }
  void recall(const std::string& memory) override {
    fmi3FMUState state = nullptr;
    check("fmi3DeserializeFMUState",
          library_->function<fmi3DeserializeFMUStateType>("fmi3DeserializeFMUState")(
              self_, reinterpret_cast<const fmi3Byte*>(memory.data()), memory.size(), &state));
    const int status = library_->function<fmi3SetFMUStateType>("fmi3SetFMUState")(self_, state);
    library_->function<fmi3StatePlaceType>("fmi3FreeFMUState")(self_, &state);
    check("fmi3SetFMUState", status);
  }

 private:
  void check(const char* function, int status) const {
    if (status > fmi3Warning) throw InstanceError(failure(function, status, said_));
  }
  void transition(const char* name) { check(name, library_->function<fmi3TransitionType>(name)(self_)); }
  template <class Number>
  void put(const char* function, const Variable& v, Number value) {
    const fmi3ValueReference reference = v.reference;
    check(function, library_->function<fmi3SetType<Number>>(function)(self_, &reference, 1, &value, 1));
  }
  template <class Number>
  Number take(const char* function, const Variable& v) {
    const fmi3ValueReference reference = v.reference;
    Number value{};
    check(function, library_->function<fmi3GetType<Number>>(function)(self_, &reference, 1, &value, 1));
    return value;
  }

  Seat library_;
  Said said_;
  fmi3Instance self_ = nullptr;
  fmi3FreeInstanceType* free_ = nullptr;
  fmi3DoStepType* step_ = nullptr;
};

}  // namespace

std::unique_ptr<Instance> instantiate(const std::shared_ptr<Library>& library, const std::string& name,
                                      double stop,
                                      const std::vector<std::pair<const Variable*, double>>& before) {
  if (library->package->description.version == 2)
    return std::make_unique<Instance2>(library, name, stop, before);
  return std::make_unique<Instance3>(library, name, stop, before);
}

}  // namespace tappet::fmi
