// Method smooth: contacts by force laws, which begin, end, stick and slip at located instants (contact_monitor.hpp).
#include "tappet/methods/contact_monitor.hpp"
#include "tappet/methods/integrated.hpp"

namespace tappet {

static const Registration<MethodType> smooth_registered{{
    .name = "smooth",
    .help = "contacts by laws of penetration; an integrator with error control, instants of contact located",
    .treatment = ContactTreatment::forces,
    .make =
        [](const Model& model) {
          return make_integrated_method(
              model, [](const Model& m, SmoothSystem& system) -> std::unique_ptr<ContactWatch> {
                return std::make_unique<ContactMonitor>(m, system);
              });
        },
}};

}  // namespace tappet
