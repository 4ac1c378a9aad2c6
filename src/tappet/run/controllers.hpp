// The FMUs of a run: loaded, asked at their steps, brought back to where a state was taken.
#pragma once

#include <memory>
#include <vector>

#include "tappet/fmi/instance.hpp"
#include "tappet/methods/method.hpp"
#include "tappet/model/controller.hpp"

namespace tappet {

class Controllers {
 public:
  Controllers(const Model& model, const Method& method);

  bool empty() const { return all_.empty(); }
  /// Loads and begins them. Throws InputError for an FMU that refuses. Nothing of theirs is run before.
  void begin();
  /// When the next of them is to be asked, s; far away where there is none.
  double next(const State& state) const;
  /// Asks those that are due, in the file's order, and has the model follow. Throws SimulationError; what was set before stays, and the one that
  /// failed is asked again in the next call.
  void exchange(State& state, Workspace& w);

  /// Whether they can all say what they remember; if not, whose FMU cannot, in a sentence.
  bool remember() const { return forgetful_.empty(); }
  const std::string& forgetful() const { return forgetful_; }
  /// Into State::controllers.
  void collect(State& state);
  /// Brings them to where they were when the state was collected. Throws std::invalid_argument where that cannot be.
  void adopt(const State& state);

  /// Who sets an input; null: nobody.
  const FmuController* owner(int input) const;

 private:
  struct One {
    std::shared_ptr<const FmuController> what;
    std::shared_ptr<fmi::Library> library;
    std::unique_ptr<fmi::Instance> instance;
  };
  void make(One& one) const;
  std::vector<double> read_inputs(const One& one, State& state, Workspace& w) const;

  const Model& model_;
  const Method& method_;
  std::vector<One> all_;
  std::string forgetful_;
};

/// State::inputs are set, and the method told. A throw leaves the state as it was.
void set_inputs(const Model& model, const Method& method, State& state, Workspace& w,
                const std::vector<double>& values);

}  // namespace tappet
