// The functions of FMI 2.0 co-simulation, as a shared object exports them.
#include "tappet/fmi/fmi2.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "instance.hpp"

namespace {

using tappet::fmu::Instance;
using tappet::fmu::Mode;

struct Component {
  std::string name;
  fmi2CallbackFunctions callbacks{};
  std::unique_ptr<Instance> instance;
  double last_time = 0;
  bool terminated = false;
};

void say(const Component& c, fmi2Status status, const char* category, const std::string& message) {
  if (c.callbacks.logger)
    c.callbacks.logger(c.callbacks.componentEnvironment, c.name.c_str(), status, category, "%s",
                       message.c_str());
}

/// Nothing is thrown into a program of another language.
template <class Function>
fmi2Status guarded(fmi2Component component, bool failing, Function function) {
  auto* c = static_cast<Component*>(component);
  if (!c) return fmi2Error;
  try {
    if (c->instance->mode == Mode::failed && failing)
      throw std::runtime_error("it has failed before: reset or free it");
    return function(*c);
  } catch (const std::exception& error) {
    if (failing) c->instance->mode = Mode::failed;
    say(*c, fmi2Error, "logStatusError", error.what());
    return fmi2Error;
  }
}

/// A path of "file:///tmp/a%20b", "file:/tmp/…" or of a bare path.
std::string path_of(const char* location) {
  std::string text = location ? location : "";
  if (text.starts_with("file:")) {
    text.erase(0, 5);
    if (text.starts_with("//")) {
      const std::size_t slash = text.find('/', 2);
      text.erase(0, slash == std::string::npos ? text.size() : slash);  // the host
    }
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '%' && i + 2 < text.size()) {
        out += static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
        i += 2;
      } else {
        out += text[i];
      }
    }
    return out;
  }
  return text;
}

fmi2Status no_such_type(fmi2Component component, std::size_t count, const char* type) {
  return guarded(component, false, [&](Component&) -> fmi2Status {
    if (count == 0) return fmi2OK;
    throw std::runtime_error(std::string("this FMU has no variables of type ") + type);
  });
}

fmi2Status not_provided(fmi2Component component, const char* what) {
  return guarded(component, false, [&](Component&) -> fmi2Status {
    throw std::runtime_error(std::string("this FMU provides no ") + what);
  });
}

}  // namespace

#define TAPPET_EXPORT extern "C" __attribute__((visibility("default")))

TAPPET_EXPORT const char* fmi2GetTypesPlatform() {
  return "default";
}
TAPPET_EXPORT const char* fmi2GetVersion() {
  return "2.0";
}
TAPPET_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, std::size_t, const fmi2String*) {
  return fmi2OK;  // errors and warnings are said, and there is nothing else
}

TAPPET_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                            fmi2String resources, const fmi2CallbackFunctions* callbacks,
                                            fmi2Boolean, fmi2Boolean) {
  auto c = std::make_unique<Component>();
  c->name = name ? name : "";
  if (callbacks) c->callbacks = *callbacks;
  try {
    if (type != fmi2CoSimulation) throw std::runtime_error("this FMU is for co-simulation");
    Component* place = c.get();
    c->instance = std::make_unique<Instance>(c->name, guid ? guid : "", path_of(resources),
                                             [place](const char* category, const std::string& message) {
                                               say(*place, fmi2Warning, category, message);
                                             });
    return c.release();
  } catch (const std::exception& error) {
    say(*c, fmi2Error, "logStatusError", error.what());
    return nullptr;
  }
}
TAPPET_EXPORT void fmi2FreeInstance(fmi2Component component) {
  delete static_cast<Component*>(component);
}

TAPPET_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined,
                                             fmi2Real tolerance, fmi2Real start, fmi2Boolean, fmi2Real) {
  return guarded(component, true, [&](Component& c) {
    c.instance->set_up(tolerance_defined ? std::optional(tolerance) : std::nullopt, start);
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return guarded(component, true, [](Component& c) { return c.instance->enter_initialisation(), fmi2OK; });
}
TAPPET_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return guarded(component, true,
                 [](Component& c) { return c.instance->exit_initialisation(false), fmi2OK; });
}
TAPPET_EXPORT fmi2Status fmi2Terminate(fmi2Component component) {
  return guarded(component, true, [](Component& c) { return c.instance->terminate(), fmi2OK; });
}
TAPPET_EXPORT fmi2Status fmi2Reset(fmi2Component component) {
  return guarded(component, false, [](Component& c) {
    c.instance->reset();
    c.terminated = false;
    c.last_time = 0;
    return fmi2OK;
  });
}

TAPPET_EXPORT fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference* references,
                                     std::size_t count, fmi2Real* values) {
  return guarded(component, true, [&](Component& c) {
    for (std::size_t i = 0; i < count; ++i) values[i] = c.instance->get(references[i]);
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference* references,
                                     std::size_t count, const fmi2Real* values) {
  return guarded(component, true, [&](Component& c) {
    for (std::size_t i = 0; i < count; ++i) c.instance->set(references[i], values[i]);
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                        fmi2Integer*) {
  return no_such_type(c, n, "Integer");
}
TAPPET_EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                        fmi2Boolean*) {
  return no_such_type(c, n, "Boolean");
}
TAPPET_EXPORT fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                       fmi2String*) {
  return no_such_type(c, n, "String");
}
TAPPET_EXPORT fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                        const fmi2Integer*) {
  return no_such_type(c, n, "Integer");
}
TAPPET_EXPORT fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                        const fmi2Boolean*) {
  return no_such_type(c, n, "Boolean");
}
TAPPET_EXPORT fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference*, std::size_t n,
                                       const fmi2String*) {
  return no_such_type(c, n, "String");
}

TAPPET_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return guarded(component, true, [&](Component& c) {
    auto taken = std::make_unique<Instance::State>(c.instance->state());
    if (*state)
      *static_cast<Instance::State*>(*state) = std::move(*taken);
    else
      *state = taken.release();
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  return guarded(component, false, [&](Component& c) {
    c.instance->recall(*static_cast<Instance::State*>(state));
    c.terminated = false;
    c.last_time = c.instance->time();
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  if (state) delete static_cast<Instance::State*>(*state), *state = nullptr;
  return fmi2OK;
}
TAPPET_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state,
                                                    std::size_t* size) {
  return guarded(component, false, [&](Component& c) {
    *size = c.instance->bytes(*static_cast<Instance::State*>(state)).size();
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte* bytes,
                                               std::size_t size) {
  return guarded(component, false, [&](Component& c) {
    const auto written = c.instance->bytes(*static_cast<Instance::State*>(state));
    if (written.size() > size) throw std::runtime_error("there is too little room for the state");
    std::memcpy(bytes, written.data(), written.size());
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte* bytes,
                                                 std::size_t size, fmi2FMUstate* state) {
  return guarded(component, false, [&](Component& c) {
    auto read = std::make_unique<Instance::State>(
        c.instance->from_bytes({reinterpret_cast<const std::byte*>(bytes), size}));
    if (*state)
      *static_cast<Instance::State*>(*state) = std::move(*read);
    else
      *state = read.release();
    return fmi2OK;
  });
}

TAPPET_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference*, std::size_t,
                                                      const fmi2ValueReference*, std::size_t, const fmi2Real*,
                                                      fmi2Real*) {
  return not_provided(c, "directional derivatives");
}
TAPPET_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference*, std::size_t,
                                                     const fmi2Integer*, const fmi2Real*) {
  return not_provided(c, "interpolation of inputs");
}
TAPPET_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference*, std::size_t,
                                                      const fmi2Integer*, fmi2Real*) {
  return not_provided(c, "derivatives of outputs");
}

TAPPET_EXPORT fmi2Status fmi2DoStep(fmi2Component component, fmi2Real from, fmi2Real length, fmi2Boolean) {
  return guarded(component, true, [&](Component& c) {
    const auto reached = c.instance->step(from, length, false);
    c.last_time = reached.time;
    c.terminated = reached.ended;
    if (!reached.ended) return fmi2OK;
    say(c, fmi2Discard, "logStatusDiscard",
        "an event of the model ends it at t = " + std::to_string(reached.time) + " s");
    return fmi2Discard;
  });
}
TAPPET_EXPORT fmi2Status fmi2CancelStep(fmi2Component c) {
  return not_provided(c, "steps that go on while others work");
}
TAPPET_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind, fmi2Status*) {
  return not_provided(c, "steps that go on while others work"), fmi2Discard;
}
TAPPET_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  return guarded(component, false, [&](Component& c) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = c.last_time;
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*) {
  return fmi2Discard;
}
TAPPET_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind,
                                              fmi2Boolean* value) {
  return guarded(component, false, [&](Component& c) {
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = c.terminated;
    return fmi2OK;
  });
}
TAPPET_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*) {
  return fmi2Discard;
}
