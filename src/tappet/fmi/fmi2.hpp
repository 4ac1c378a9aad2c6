// The C interface of FMI 2.0 co-simulation: types and signatures, by the names of the standard (fmi-standard.org, version 2.0.4).
//
// FMU stands for functional mock-up unit: a zip archive with a description in XML, resources and a shared object that exports
// these functions.
#pragma once

#include <cstddef>

extern "C" {

using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2String = const char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

using fmi2CallbackLogger = void (*)(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                                    fmi2String category, fmi2String message, ...);
struct fmi2CallbackFunctions {
  fmi2CallbackLogger logger;
  void* (*allocateMemory)(std::size_t count, std::size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
};

using fmi2InstantiateType = fmi2Component(fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,
                                          const fmi2CallbackFunctions*, fmi2Boolean visible,
                                          fmi2Boolean logging);
using fmi2FreeInstanceType = void(fmi2Component);
using fmi2SetupExperimentType = fmi2Status(fmi2Component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                           fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop);
/// fmi2EnterInitializationMode, fmi2ExitInitializationMode, fmi2Terminate, fmi2Reset
using fmi2TransitionType = fmi2Status(fmi2Component);
}  // extern "C"
template <class Number>
using fmi2GetType = fmi2Status(fmi2Component, const fmi2ValueReference*, std::size_t, Number*);
template <class Number>
using fmi2SetType = fmi2Status(fmi2Component, const fmi2ValueReference*, std::size_t, const Number*);
extern "C" {
/// fmi2GetFMUstate, fmi2FreeFMUstate
using fmi2StatePlaceType = fmi2Status(fmi2Component, fmi2FMUstate*);
using fmi2SetFMUstateType = fmi2Status(fmi2Component, fmi2FMUstate);
using fmi2SerializedFMUstateSizeType = fmi2Status(fmi2Component, fmi2FMUstate, std::size_t*);
using fmi2SerializeFMUstateType = fmi2Status(fmi2Component, fmi2FMUstate, fmi2Byte*, std::size_t);
using fmi2DeSerializeFMUstateType = fmi2Status(fmi2Component, const fmi2Byte*, std::size_t, fmi2FMUstate*);
using fmi2DoStepType = fmi2Status(fmi2Component, fmi2Real from, fmi2Real length,
                                  fmi2Boolean no_return_before);

}  // extern "C"
