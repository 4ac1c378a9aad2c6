#include <memory>

#include "models.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/smooth_system.hpp"
#include "tappet/spec/spec.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

/// `times` right-hand sides in the model's first state.
Work right_hand_sides(const std::string& name, const Spec& spec, int times) {
  struct Made {
    std::shared_ptr<const Model> model;
    std::unique_ptr<SmoothSystem> system;
    std::vector<double> y, dydt;
  };
  auto made = std::make_shared<Made>();
  Diagnostics diagnostics;
  made->model = compile(spec, diagnostics);
  made->system = std::make_unique<SmoothSystem>(*made->model);
  made->y.assign(made->system->size(), 0.0);
  made->dydt = made->y;
  std::copy(made->model->q0.begin(), made->model->q0.end(), made->y.begin());
  std::copy(made->model->u0.begin(), made->model->u0.end(),
            made->y.begin() + static_cast<long>(made->model->q0.size()));
  return {"accelerations " + name, [made, times] {
            double sum = 0;
            for (int i = 0; i < times; ++i) {
              made->system->derivative(0, made->y.data(), made->dydt.data());
              sum += made->dydt[made->model->q0.size()];
            }
            return sum;
          }};
}

Spec example(const std::string& path) {
  return load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/" + path, {});
}

}  // namespace

std::vector<Work> mechanism_works() {
  const std::string tail = "simulation: {duration: 1}\n";
  return {
      right_hand_sides("slider-crank", example("slider_crank/ideal.yaml"), 200),
      right_hand_sides("slider-crank with clearance", example("slider_crank/clearance.yaml"), 200),
      right_hand_sides("squeezer", example("andrews/squeezer.yaml"), 200),
      right_hand_sides("100 windows", spec_from_text(four_bar_chain(100) + tail, "works"), 5),
      right_hand_sides("planar chain of 100", spec_from_text(planar_chain(100) + tail, "works"), 10),
      right_hand_sides("spatial chain of 100", spec_from_text(spatial_chain(100) + tail, "works"), 5),
  };
}

}  // namespace tappet::bench
