// Method event-driven: rigid bodies, impacts at the instants at which they happen (impact_monitor.hpp).
#include "tappet/methods/impact_monitor.hpp"
#include "tappet/methods/integrated.hpp"
#include "tappet/methods/joined_watch.hpp"

namespace tappet {

static const Registration<MethodType> event_driven_registered{{
    .name = "event-driven",
    .help = "rigid contacts, each impact at its instant; an integrator with error control in between",
    .treatment = ContactTreatment::events,
    .make =
        [](const Model& model) {
          return make_integrated_method(
              model, [](const Model& m, SmoothSystem& system) -> std::unique_ptr<ContactWatch> {
                if (!m.mechanism.bearings.empty()) return std::make_unique<JoinedWatch>(m, system);
                return std::make_unique<ImpactMonitor>(m, system);
              });
        },
}};

}  // namespace tappet
