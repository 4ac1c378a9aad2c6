// The C interface of FMI 3.0 co-simulation: types and signatures, by the names of the standard (fmi-standard.org, version 3.0.2).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float32 = float;
using fmi3Float64 = double;
using fmi3Int32 = std::int32_t;
using fmi3UInt64 = std::uint64_t;
using fmi3Boolean = bool;
using fmi3String = const char*;
using fmi3Byte = std::uint8_t;
using fmi3Binary = const fmi3Byte*;
using fmi3Clock = bool;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                        fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment, fmi3Float64 time,
                                                fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                                fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                                fmi3Boolean* return_requested, fmi3Float64* return_time);

using fmi3InstantiateCoSimulationType = fmi3Instance(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed, const fmi3ValueReference* intermediate,
    std::size_t, fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
using fmi3FreeInstanceType = void(fmi3Instance);
using fmi3EnterInitializationModeType = fmi3Status(fmi3Instance, fmi3Boolean tolerance_defined,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean stop_defined, fmi3Float64 stop);
/// fmi3ExitInitializationMode, fmi3Terminate, fmi3Reset, fmi3EnterEventMode, fmi3EnterStepMode
using fmi3TransitionType = fmi3Status(fmi3Instance);
}  // extern "C"
template <class Number>
using fmi3GetType = fmi3Status(fmi3Instance, const fmi3ValueReference*, std::size_t, Number*, std::size_t);
template <class Number>
using fmi3SetType = fmi3Status(fmi3Instance, const fmi3ValueReference*, std::size_t, const Number*,
                               std::size_t);
extern "C" {
/// fmi3GetFMUState, fmi3FreeFMUState
using fmi3StatePlaceType = fmi3Status(fmi3Instance, fmi3FMUState*);
using fmi3SetFMUStateType = fmi3Status(fmi3Instance, fmi3FMUState);
using fmi3SerializedFMUStateSizeType = fmi3Status(fmi3Instance, fmi3FMUState, std::size_t*);
using fmi3SerializeFMUStateType = fmi3Status(fmi3Instance, fmi3FMUState, fmi3Byte*, std::size_t);
using fmi3DeserializeFMUStateType = fmi3Status(fmi3Instance, const fmi3Byte*, std::size_t, fmi3FMUState*);
using fmi3DoStepType = fmi3Status(fmi3Instance, fmi3Float64 from, fmi3Float64 length,
                                  fmi3Boolean no_return_before, fmi3Boolean* event_handling_needed,
                                  fmi3Boolean* terminate, fmi3Boolean* early_return,
                                  fmi3Float64* last_successful_time);

}  // extern "C"
