// The functions of FMI 3.0 co-simulation, as a shared object exports them, with its event mode and its early return at impacts.
#include "tappet/fmi/fmi3.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "instance.hpp"

namespace {

using tappet::fmu::Instance;
using tappet::fmu::Mode;

struct Component {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log = nullptr;
  bool event_mode = false, early_return = false;
  std::unique_ptr<Instance> instance;
};

void say(const Component& c, fmi3Status status, const char* category, const std::string& message) {
  if (c.log) c.log(c.environment, status, category, message.c_str());
}

/// Nothing is thrown into a program of another language.
template <class Function>
fmi3Status guarded(fmi3Instance component, bool failing, Function function) {
  auto* c = static_cast<Component*>(component);
  if (!c) return fmi3Error;
  try {
    if (c->instance->mode == Mode::failed && failing)
      throw std::runtime_error("it has failed before: reset or free it");
    function(*c);
    return fmi3OK;
  } catch (const std::exception& error) {
    if (failing) c->instance->mode = Mode::failed;
    say(*c, fmi3Error, "logStatusError", error.what());
    return fmi3Error;
  }
}

fmi3Status not_provided(fmi3Instance component, const char* what) {
  return guarded(component, false,
                 [&](Component&) { throw std::runtime_error(std::string("this FMU provides no ") + what); });
}

}  // namespace

#define TAPPET_EXPORT extern "C" __attribute__((visibility("default")))

TAPPET_EXPORT const char* fmi3GetVersion() {
  return "3.0";
}
TAPPET_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, std::size_t, const fmi3String*) {
  return fmi3OK;  // errors and warnings are said, and there is nothing else
}

TAPPET_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean,
    fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed, const fmi3ValueReference*, std::size_t,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  auto c = std::make_unique<Component>();
  c->environment = environment;
  c->log = log;
  c->event_mode = event_mode_used;
  c->early_return = early_return_allowed;
  try {
    Component* place = c.get();
    c->instance = std::make_unique<Instance>(name ? name : "", token ? token : "", resources ? resources : "",
                                             [place](const char* category, const std::string& message) {
                                               say(*place, fmi3Warning, category, message);
                                             });
    return c.release();
  } catch (const std::exception& error) {
    say(*c, fmi3Error, "logStatusError", error.what());
    return nullptr;
  }
}
TAPPET_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                        fmi3Boolean, fmi3InstanceEnvironment environment,
                                                        fmi3LogMessageCallback log) {
  if (log) log(environment, fmi3Error, "logStatusError", "this FMU is for co-simulation");
  return nullptr;
}
TAPPET_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                             fmi3Boolean, fmi3InstanceEnvironment environment,
                                                             fmi3LogMessageCallback log, void (*)(void*),
                                                             void (*)(), void (*)()) {
  if (log) log(environment, fmi3Error, "logStatusError", "this FMU is for co-simulation");
  return nullptr;
}
TAPPET_EXPORT void fmi3FreeInstance(fmi3Instance component) {
  delete static_cast<Component*>(component);
}

TAPPET_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance component, fmi3Boolean tolerance_defined,
                                                     fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean,
                                                     fmi3Float64) {
  return guarded(component, true, [&](Component& c) {
    c.instance->set_up(tolerance_defined ? std::optional(tolerance) : std::nullopt, start);
    c.instance->enter_initialisation();
  });
}
TAPPET_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance component) {
  return guarded(component, true, [](Component& c) { c.instance->exit_initialisation(c.event_mode); });
}
TAPPET_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance component) {
  return guarded(component, true, [](Component& c) {
    if (!c.event_mode)
      throw std::runtime_error("the event mode was not asked for when this was instantiated");
    c.instance->enter_event_mode();
  });
}
TAPPET_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance component) {
  return guarded(component, true, [](Component& c) { c.instance->enter_step_mode(); });
}
TAPPET_EXPORT fmi3Status fmi3Terminate(fmi3Instance component) {
  return guarded(component, true, [](Component& c) { c.instance->terminate(); });
}
TAPPET_EXPORT fmi3Status fmi3Reset(fmi3Instance component) {
  return guarded(component, false, [](Component& c) { c.instance->reset(); });
}

TAPPET_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance component, const fmi3ValueReference* references,
                                        std::size_t count, fmi3Float64* values, std::size_t room) {
  return guarded(component, true, [&](Component& c) {
    if (room < count) throw std::runtime_error("there is too little room for the values");
    for (std::size_t i = 0; i < count; ++i) values[i] = c.instance->get(references[i]);
  });
}
TAPPET_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance component, const fmi3ValueReference* references,
                                        std::size_t count, const fmi3Float64* values, std::size_t given) {
  return guarded(component, true, [&](Component& c) {
    if (given < count) throw std::runtime_error("there are fewer values than variables");
    for (std::size_t i = 0; i < count; ++i) c.instance->set(references[i], values[i]);
  });
}

// All its variables are of type Float64.
#define TAPPET_NO_SUCH_TYPE(Type, Number)                                                                   \
  TAPPET_EXPORT fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference*, std::size_t n, Number*, \
                                         std::size_t) {                                                     \
    return n == 0 ? fmi3OK : not_provided(c, "variables of type " #Type);                                   \
  }                                                                                                         \
  TAPPET_EXPORT fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference*, std::size_t n,          \
                                         const Number*, std::size_t) {                                      \
    return n == 0 ? fmi3OK : not_provided(c, "variables of type " #Type);                                   \
  }
TAPPET_NO_SUCH_TYPE(Float32, float)
TAPPET_NO_SUCH_TYPE(Int8, std::int8_t)
TAPPET_NO_SUCH_TYPE(UInt8, std::uint8_t)
TAPPET_NO_SUCH_TYPE(Int16, std::int16_t)
TAPPET_NO_SUCH_TYPE(UInt16, std::uint16_t)
TAPPET_NO_SUCH_TYPE(Int32, std::int32_t)
TAPPET_NO_SUCH_TYPE(UInt32, std::uint32_t)
TAPPET_NO_SUCH_TYPE(Int64, std::int64_t)
TAPPET_NO_SUCH_TYPE(UInt64, std::uint64_t)
TAPPET_NO_SUCH_TYPE(Boolean, fmi3Boolean)
TAPPET_NO_SUCH_TYPE(String, fmi3String)
#undef TAPPET_NO_SUCH_TYPE
TAPPET_EXPORT fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference*, std::size_t n, std::size_t*,
                                       fmi3Binary*, std::size_t) {
  return n == 0 ? fmi3OK : not_provided(c, "variables of type Binary");
}
TAPPET_EXPORT fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference*, std::size_t n,
                                       const std::size_t*, const fmi3Binary*, std::size_t) {
  return n == 0 ? fmi3OK : not_provided(c, "variables of type Binary");
}
TAPPET_EXPORT fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference*, std::size_t n, fmi3Clock*) {
  return n == 0 ? fmi3OK : not_provided(c, "clocks");
}
TAPPET_EXPORT fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference*, std::size_t n,
                                      const fmi3Clock*) {
  return n == 0 ? fmi3OK : not_provided(c, "clocks");
}

TAPPET_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance component, fmi3FMUState* state) {
  return guarded(component, true, [&](Component& c) {
    auto taken = std::make_unique<Instance::State>(c.instance->state());
    if (*state)
      *static_cast<Instance::State*>(*state) = std::move(*taken);
    else
      *state = taken.release();
  });
}
TAPPET_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance component, fmi3FMUState state) {
  return guarded(component, false,
                 [&](Component& c) { c.instance->recall(*static_cast<Instance::State*>(state)); });
}
TAPPET_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  if (state) delete static_cast<Instance::State*>(*state), *state = nullptr;
  return fmi3OK;
}
TAPPET_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance component, fmi3FMUState state,
                                                    std::size_t* size) {
  return guarded(component, false, [&](Component& c) {
    *size = c.instance->bytes(*static_cast<Instance::State*>(state)).size();
  });
}
TAPPET_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance component, fmi3FMUState state, fmi3Byte* bytes,
                                               std::size_t size) {
  return guarded(component, false, [&](Component& c) {
    const auto written = c.instance->bytes(*static_cast<Instance::State*>(state));
    if (written.size() > size) throw std::runtime_error("there is too little room for the state");
    std::memcpy(bytes, written.data(), written.size());
  });
}
TAPPET_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance component, const fmi3Byte* bytes,
                                                 std::size_t size, fmi3FMUState* state) {
  return guarded(component, false, [&](Component& c) {
    auto read = std::make_unique<Instance::State>(
        c.instance->from_bytes({reinterpret_cast<const std::byte*>(bytes), size}));
    if (*state)
      *static_cast<Instance::State*>(*state) = std::move(*read);
    else
      *state = read.release();
  });
}

TAPPET_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance component, fmi3Boolean* again,
                                                  fmi3Boolean* terminate, fmi3Boolean* nominals,
                                                  fmi3Boolean* values, fmi3Boolean* next_defined,
                                                  fmi3Float64* next) {
  return guarded(component, true, [&](Component& c) {
    if (c.instance->mode != Mode::event)
      throw std::runtime_error("discrete states are updated in the event mode");
    *again = *terminate = *nominals = *values = *next_defined = false;
    *next = 0;
  });
}

TAPPET_EXPORT fmi3Status fmi3DoStep(fmi3Instance component, fmi3Float64 from, fmi3Float64 length, fmi3Boolean,
                                    fmi3Boolean* event_handling_needed, fmi3Boolean* terminate,
                                    fmi3Boolean* early_return, fmi3Float64* last_successful_time) {
  *event_handling_needed = *terminate = *early_return = false;
  *last_successful_time = from;
  return guarded(component, true, [&](Component& c) {
    const auto reached = c.instance->step(from, length, c.early_return);
    *last_successful_time = reached.time;
    *early_return = reached.time < from + length;
    *event_handling_needed = reached.impact && c.event_mode;
    *terminate = reached.ended;
  });
}

// ---- what it does not provide

TAPPET_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference,
                                                             std::size_t*) {
  return not_provided(c, "dependencies of single elements");
}
TAPPET_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, std::size_t*,
                                                     fmi3ValueReference*, std::size_t*, int*, std::size_t) {
  return not_provided(c, "dependencies of single elements");
}
TAPPET_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference*, std::size_t,
                                                      const fmi3ValueReference*, std::size_t,
                                                      const fmi3Float64*, std::size_t, fmi3Float64*,
                                                      std::size_t) {
  return not_provided(c, "directional derivatives");
}
TAPPET_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference*, std::size_t,
                                                  const fmi3ValueReference*, std::size_t, const fmi3Float64*,
                                                  std::size_t, fmi3Float64*, std::size_t) {
  return not_provided(c, "adjoint derivatives");
}
TAPPET_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference*, std::size_t,
                                                  const fmi3Int32*, fmi3Float64*, std::size_t) {
  return not_provided(c, "derivatives of outputs");
}

#define TAPPET_NOT_PROVIDED(Name, what, ...)                           \
  TAPPET_EXPORT fmi3Status fmi3##Name(fmi3Instance c, ##__VA_ARGS__) { \
    return not_provided(c, what);                                      \
  }
TAPPET_NOT_PROVIDED(EnterConfigurationMode, "structural parameters")
TAPPET_NOT_PROVIDED(ExitConfigurationMode, "structural parameters")
TAPPET_NOT_PROVIDED(EvaluateDiscreteStates, "discrete states")
TAPPET_NOT_PROVIDED(GetIntervalDecimal, "clocks", const fmi3ValueReference*, std::size_t, fmi3Float64*, int*)
TAPPET_NOT_PROVIDED(GetIntervalFraction, "clocks", const fmi3ValueReference*, std::size_t, fmi3UInt64*,
                    fmi3UInt64*, int*)
TAPPET_NOT_PROVIDED(GetShiftDecimal, "clocks", const fmi3ValueReference*, std::size_t, fmi3Float64*)
TAPPET_NOT_PROVIDED(GetShiftFraction, "clocks", const fmi3ValueReference*, std::size_t, fmi3UInt64*,
                    fmi3UInt64*)
TAPPET_NOT_PROVIDED(SetIntervalDecimal, "clocks", const fmi3ValueReference*, std::size_t, const fmi3Float64*)
TAPPET_NOT_PROVIDED(SetIntervalFraction, "clocks", const fmi3ValueReference*, std::size_t, const fmi3UInt64*,
                    const fmi3UInt64*)
TAPPET_NOT_PROVIDED(SetShiftDecimal, "clocks", const fmi3ValueReference*, std::size_t, const fmi3Float64*)
TAPPET_NOT_PROVIDED(SetShiftFraction, "clocks", const fmi3ValueReference*, std::size_t, const fmi3UInt64*,
                    const fmi3UInt64*)
TAPPET_NOT_PROVIDED(ActivateModelPartition, "model partitions", fmi3ValueReference, fmi3Float64)
TAPPET_NOT_PROVIDED(EnterContinuousTimeMode, "model exchange")
TAPPET_NOT_PROVIDED(CompletedIntegratorStep, "model exchange", fmi3Boolean, fmi3Boolean*, fmi3Boolean*)
TAPPET_NOT_PROVIDED(SetTime, "model exchange", fmi3Float64)
TAPPET_NOT_PROVIDED(SetContinuousStates, "model exchange", const fmi3Float64*, std::size_t)
TAPPET_NOT_PROVIDED(GetContinuousStateDerivatives, "model exchange", fmi3Float64*, std::size_t)
TAPPET_NOT_PROVIDED(GetEventIndicators, "model exchange", fmi3Float64*, std::size_t)
TAPPET_NOT_PROVIDED(GetContinuousStates, "model exchange", fmi3Float64*, std::size_t)
TAPPET_NOT_PROVIDED(GetNominalsOfContinuousStates, "model exchange", fmi3Float64*, std::size_t)
TAPPET_NOT_PROVIDED(GetNumberOfEventIndicators, "model exchange", std::size_t*)
TAPPET_NOT_PROVIDED(GetNumberOfContinuousStates, "model exchange", std::size_t*)
#undef TAPPET_NOT_PROVIDED
