// A simulation that is stepped by hand. What a user sees is the class tappet.Simulation, which derives from the one here.
//
// Steps are taken without Python's lock. One thread at a time may use a simulation: whoever comes second, be it a law written in
// Python that is called within the step, is told so.

#include <chrono>
#include <cstring>
#include <limits>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include "functions.hpp"
#include "tappet/model/model.hpp"

namespace tappet::python {

namespace {

/// What a step brought besides its state.
struct Catch final : Observer {
  std::vector<Impact> impacts;
  std::vector<EventRecord> events;
  void impact(const Impact& row) override { impacts.push_back(row); }
  void event(const EventRecord& event) override { events.push_back(event); }
};

/// Where the numbers of a state are.
struct Layout {
  std::size_t q = 0, u = 0, z = 0, structures = 0;  ///< how many; of the structures' q, and of their u

  explicit Layout(const Model& model, std::size_t size)
      : q(model.mechanism.q_size()), u(model.mechanism.u_size()), z(model.mechanism.aux_size) {
    structures = (size - q - u - z) / 2;
  }
  Layout() = default;
  std::size_t structures_at() const { return q + u + z; }
};

struct Stepped {
  explicit Stepped(std::shared_ptr<const Model> m, std::vector<std::string> w)
      : model(std::move(m)), warnings(std::move(w)), simulation(model) {}
  Stepped(const Stepped& other)
      : model(other.model), warnings(other.warnings), simulation(other.simulation.clone()) {}

  std::shared_ptr<const Model> model;
  std::vector<std::string> warnings;  ///< of the compiler
  Simulation simulation;
  Layout layout{*model, simulation.state().y.size()};
  Catch caught;
  bool in_use = false;  ///< under Python's lock
};

/// The right to use a simulation.
class Use {
 public:
  explicit Use(Stepped& s) : s_(s) {
    if (s.in_use)
      throw std::runtime_error(
          "the simulation is in the middle of a step, taken by another thread or by who called this "
          "function");
    s.in_use = true;
  }
  ~Use() { s_.in_use = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  Simulation* operator->() const { return &s_.simulation; }

 private:
  Stepped& s_;
};

// ---- what is returned

/// A step, or several.
struct Step {
  double start = 0, end = 0;
  bool stopped = false;
  std::vector<Impact> impacts = {};
  std::vector<EventRecord> events = {};
  std::shared_ptr<const Model> model;  ///< for the names of events
};

py::list events_of(const Step& step) {
  py::list out;
  for (const EventRecord& event : step.events)
    out.append(py::make_tuple(step.model->events[event.event].name, event.time));
  return out;
}

py::array impacts_of(const Step& step) {
  return py::array(py::dtype::of<Impact>(), {static_cast<py::ssize_t>(step.impacts.size())},
                   step.impacts.data());
}

std::string describe(const Step& step) {
  std::string out = fmt::format("<step from {:.9g} s to {:.9g} s", step.start, step.end);
  if (!step.impacts.empty()) out += fmt::format(", {} impacts", step.impacts.size());
  for (const EventRecord& event : step.events)
    out += fmt::format(", '{}' at {:.9g} s", step.model->events[event.event].name, event.time);
  return out + (step.stopped ? ", the run ends>" : ">");
}

py::array_t<double> array_of(const Vec3& v) {
  return py::array_t<double>(3, v.data());
}

py::array_t<double> array_of(const Eigen::MatrixXd& m) {
  const auto size = static_cast<py::ssize_t>(sizeof(double));
  return py::array_t<double>({m.rows(), m.cols()}, {size, m.rows() * size}, m.data());
}

void bind_contact(py::module_& module) {
  py::class_<ContactInfo>(module, "Contact")
      .def_readonly("name", &ContactInfo::name)
      .def_property_readonly("bodies", [](const ContactInfo& c) { return py::make_tuple(c.first, c.second); })
      .def_property_readonly("point", [](const ContactInfo& c) { return array_of(c.point); })
      .def_property_readonly("normal", [](const ContactInfo& c) { return array_of(c.normal); })
      .def_readonly("gap", &ContactInfo::gap)
      .def_property_readonly("force", [](const ContactInfo& c) { return array_of(c.force); })
      .def("__repr__", [](const ContactInfo& c) {
        return fmt::format("<contact '{}' of {} and {}: gap {:.4g} m, force ({:.4g}, {:.4g}, {:.4g}) N>",
                           c.name, c.first, c.second, c.gap, c.force.x(), c.force.y(), c.force.z());
      });
}

// ---- states

/// A state as a value of its own. One that came from another process knows what it is once a simulation of its model takes it.
struct StateValue {
  State state;
  Layout layout;
  std::vector<std::byte> unread;  ///< instead of `state`

  State& get() {
    if (!unread.empty())
      throw std::runtime_error(
          "this state was unpickled: a simulation of its model makes it readable, by set_state(), and "
          "returns it as "
          "its `state`");
    return state;
  }
};

bool equal(const StateValue& a, const StateValue& b) {
  if (a.unread.empty() && b.unread.empty()) return a.state == b.state;
  if (!a.unread.empty() && !b.unread.empty()) return a.unread == b.unread;
  const StateValue &known = a.unread.empty() ? a : b, &other = a.unread.empty() ? b : a;
  State read = known.state;
  try {
    load(other.unread, read);
  } catch (const InputError&) {
    return false;  // of another method
  }
  return read == known.state;
}

/// Part of y, with the memory's owner; numbers can be altered if `writeable`.
py::array part_of(const py::object& owner, double* y, std::size_t from, std::size_t count, bool writeable) {
  py::array out(py::dtype::of<double>(), {static_cast<py::ssize_t>(count)}, y + from, owner);
  if (!writeable) out.attr("flags").attr("writeable") = false;
  return out;
}

/// The four parts of y as attributes; `access` gives y and its layout.
template <class Class, class Access>
void add_views(Class& class_, bool writeable, Access access) {
  const auto add = [&](const char* name, auto from, auto count) {
    class_.def_property_readonly(name, [=](const py::object& self) {
      const auto [y, layout] = access(self);
      return part_of(self, y, from(layout), count(layout), writeable);
    });
  };
  add(
      "q", [](const Layout&) { return std::size_t{0}; }, [](const Layout& l) { return l.q; });
  add(
      "u", [](const Layout& l) { return l.q; }, [](const Layout& l) { return l.u; });
  const auto structures = [](const Layout& l) { return l.structures; };
  add(
      "structure_q", [](const Layout& l) { return l.structures_at(); }, structures);
  add(
      "structure_u", [](const Layout& l) { return l.structures_at() + l.structures; }, structures);
}

py::tuple pickled(const StateValue& value) {
  const std::vector<std::byte> bytes = value.unread.empty() ? save(value.state) : value.unread;
  const Layout& l = value.layout;
  return py::make_tuple(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()), l.q, l.u, l.z,
                        l.structures);
}

StateValue unpickled(const py::tuple& parts) {
  if (parts.size() != 5) throw py::value_error("this is not the pickle of a state");
  StateValue out;
  const std::string bytes = parts[0].cast<std::string>();
  out.unread.resize(bytes.size());
  std::memcpy(out.unread.data(), bytes.data(), bytes.size());
  out.layout.q = parts[1].cast<std::size_t>();
  out.layout.u = parts[2].cast<std::size_t>();
  out.layout.z = parts[3].cast<std::size_t>();
  out.layout.structures = parts[4].cast<std::size_t>();
  return out;
}

void bind_state(py::module_& module) {
  py::class_<StateValue> class_(module, "State");
  class_.def_property_readonly("t", [](StateValue& s) { return s.get().t; })
      .def_property_readonly("inputs",
                             [](const py::object& self) {
                               std::vector<double>& inputs = self.cast<StateValue&>().get().inputs;
                               return part_of(self, inputs.data(), 0, inputs.size(), true);
                             })
      .def("difference", [](StateValue& a, StateValue& b) { return tappet::difference(a.get(), b.get()); })
      .def("copy", [](const StateValue& s) { return s; })
      .def("__copy__", [](const StateValue& s) { return s; })
      .def("__deepcopy__", [](const StateValue& s, const py::object&) { return s; })
      .def(
          "__eq__", [](const StateValue& a, const StateValue& b) { return equal(a, b); }, py::is_operator())
      .def(
          "__ne__", [](const StateValue& a, const StateValue& b) { return !equal(a, b); }, py::is_operator())
      .def("__repr__",
           [](const StateValue& s) {
             return s.unread.empty() ? fmt::format("<state at {:.9g} s>", s.state.t)
                                     : std::string("<state, unpickled>");
           })
      .def(py::pickle(&pickled, &unpickled));
  class_.attr("__hash__") = py::none();
  add_views(class_, true, [](const py::object& self) {
    auto& value = self.cast<StateValue&>();
    return std::pair(value.get().y.data(), value.layout);
  });
}

void set_state(Stepped& s, const StateValue& value) {
  const Use use(s);
  if (value.unread.empty())
    use->set_state(value.state);
  else
    use->restore(value.unread);
}

// ---- signals and inputs

[[noreturn]] void raise_unknown_name(const InputError& error) {
  const py::object type = py::module_::import("tappet._errors").attr("UnknownName");
  PyErr_SetString(type.ptr(), error.diagnostics().front().message.c_str());
  throw py::error_already_set();
}

/// A signal that was looked up.
struct SignalHandle {
  std::shared_ptr<Stepped> owner;
  int index = 0;
  std::string name;

  double value() const { return Use(*owner)->value(index); }
};

struct InputHandle {
  std::shared_ptr<Stepped> owner;
  int index = 0;

  const Signal& about() const { return owner->simulation.inputs()[index]; }
  double value() const { return Use(*owner)->input_value(index); }
  void set(double value) const { Use(*owner)->set_input(index, value); }
};

SignalHandle find_signal(const std::shared_ptr<Stepped>& s, const std::string& name) {
  const Use use(*s);
  try {
    return {s, use->signal(name), name};
  } catch (const InputError& error) {
    raise_unknown_name(error);
  }
}

InputHandle find_input(const std::shared_ptr<Stepped>& s, const std::string& name) {
  try {
    return {s, Use(*s)->input(name)};
  } catch (const InputError& error) {
    raise_unknown_name(error);
  }
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

void set_inputs(Stepped& s, const Numbers& values) {
  if (values.ndim() != 1 || values.size() != static_cast<py::ssize_t>(s.simulation.inputs().size()))
    throw py::value_error(
        fmt::format("one value for each input is wanted: {} in all, in the order of `inputs`",
                    s.simulation.inputs().size()));
  Use(s)->set_inputs({values.data(), static_cast<std::size_t>(values.size())});
}

void bind_handles(py::module_& module) {
  py::class_<SignalHandle>(module, "Signal")
      .def_readonly("name", &SignalHandle::name)
      .def_property_readonly("value", &SignalHandle::value)
      .def("__call__", &SignalHandle::value)
      .def("__float__", &SignalHandle::value);
  py::class_<InputHandle>(module, "Input")
      .def_property_readonly("name", [](const InputHandle& input) { return input.about().name; })
      .def_property_readonly("unit", [](const InputHandle& input) { return input.about().unit; })
      .def_property("value", &InputHandle::value, &InputHandle::set)
      .def("__float__", &InputHandle::value);
}

// ---- steps

/// How often Python is asked whether the user wants to stop.
constexpr std::chrono::milliseconds attention{50};

/// Steps without Python's lock, each no further than `until()`, for as long as `goes_on()`, and at least once.
template <class Until, class GoesOn>
Step steps(Stepped& s, Until until, GoesOn goes_on) {
  const Use use(s);
  Step out{.start = use->time(), .model = s.model};
  s.caught.impacts.clear();
  s.caught.events.clear();
  {
    const Busy busy;
    const py::gil_scoped_release unlocked;
    auto last = std::chrono::steady_clock::now();
    while (true) {
      if (!use->step(s.caught, until())) out.stopped = true;
      if (!goes_on()) break;
      const auto now = std::chrono::steady_clock::now();
      if (now - last < attention) continue;
      last = now;
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  }
  out.end = use->time();
  if (!s.caught.impacts.empty()) out.impacts = s.caught.impacts;
  if (!s.caught.events.empty()) out.events = s.caught.events;
  return out;
}

/// A step does not go beyond the end of the run as long as that is ahead.
double end_of_step(const Stepped& s) {
  const double end = s.model->settings.duration;
  return s.simulation.time() < end ? end : std::numeric_limits<double>::infinity();
}

Step step(Stepped& s) {
  return steps(
      s, [&] { return end_of_step(s); }, [] { return false; });
}

Step advance_steps(Stepped& s, long count) {
  if (count < 1) throw py::value_error(fmt::format("{} steps cannot be taken; 1 or more can", count));
  return steps(
      s, [&] { return end_of_step(s); }, [&] { return --count > 0; });
}

Step advance(Stepped& s, double t) {
  const double now = Use(s)->time();
  if (!(t > now)) Use(s)->advance(t);  // says why it cannot
  if (t == now) return {.start = t, .end = t, .model = s.model};
  return steps(
      s, [&] { return t; }, [&] { return s.simulation.time() < t; });
}

py::tuple run(Stepped& s, const std::string& output, const py::object& progress) {
  const Use use(s);
  return run_simulation(s.simulation, s.warnings, output, progress);
}

// ---- all of it

std::shared_ptr<Stepped> begin(const EditableModel& editable) {
  Diagnostics diagnostics;
  auto model = compiled(editable, diagnostics);
  std::vector<std::string> warnings;
  for (const Diagnostic& diagnostic : diagnostics.all()) warnings.push_back(diagnostic.text());
  const Busy busy;
  return std::make_shared<Stepped>(std::move(model), std::move(warnings));
}

std::vector<std::string> body_names(const Stepped& s) {
  std::vector<std::string> out;
  for (const Body& body : s.model->mechanism.bodies) out.push_back(body.name);
  return out;
}

std::vector<std::string> names_of(const std::vector<Signal>& signals) {
  std::vector<std::string> out;
  for (const Signal& signal : signals) out.push_back(signal.name);
  return out;
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Step>(module, "Step")
      .def_readonly("start", &Step::start)
      .def_readonly("end", &Step::end)
      .def_property_readonly("length", [](const Step& step) { return step.end - step.start; })
      .def_readonly("stopped", &Step::stopped)
      .def_property_readonly("impacts", impacts_of)
      .def_property_readonly("events", events_of)
      .def("__repr__", describe);
  bind_contact(module);
  bind_state(module);
  bind_handles(module);

  py::class_<Stepped, std::shared_ptr<Stepped>> class_(module, "Simulation");
  class_.def(py::init(&begin), py::arg("model"))
      .def(py::init([](Stepped& other) {
             const Use use(other);
             return std::make_shared<Stepped>(other);
           }),
           py::arg("other"))
      .def("step", step)
      .def("advance", advance, py::arg("t"))
      .def("advance_steps", advance_steps, py::arg("count"))
      .def("_run", run)
      .def_property_readonly("time", [](Stepped& s) { return Use(s)->time(); })
      .def_property_readonly("duration", [](const Stepped& s) { return s.model->settings.duration; })
      .def_property_readonly("dimension",
                             [](const Stepped& s) {
                               return s.model->mechanism.dimension == Dimension::planar ? "planar"
                                                                                        : "spatial";
                             })
      .def_property_readonly("bodies", body_names)
      .def_property_readonly("contact_names", [](const Stepped& s) { return s.simulation.contact_names(); })
      .def_property_readonly("signals", [](const Stepped& s) { return names_of(s.simulation.signals()); })
      .def_property(
          "state",
          [](Stepped& s) {
            return StateValue{Use(s)->state(), s.layout, {}};
          },
          set_state)
      .def("set_state", set_state, py::arg("state"))
      .def("signal", find_signal, py::arg("name"))
      .def(
          "value",
          [](const std::shared_ptr<Stepped>& s, const std::string& name) {
            return find_signal(s, name).value();
          },
          py::arg("name"))
      .def_property_readonly("input_names", [](const Stepped& s) { return names_of(s.simulation.inputs()); })
      .def("input", find_input, py::arg("name"))
      .def("set_inputs", set_inputs, py::arg("values"))
      .def("contacts", [](Stepped& s) { return Use(s)->contacts(); })
      .def("mass_matrix", [](Stepped& s) { return array_of(Use(s)->mass_matrix()); })
      .def("constraint_jacobian", [](Stepped& s) { return array_of(Use(s)->constraint_jacobian()); })
      .def("forces", [](Stepped& s) {
        const Eigen::VectorXd h = Use(s)->forces();
        return py::array_t<double>(h.size(), h.data());
      });
  add_views(class_, false, [](const py::object& self) {
    auto& s = self.cast<Stepped&>();
    // The state's memory stays where it is for as long as the simulation lives.
    return std::pair(const_cast<double*>(Use(s)->state().y.data()), s.layout);
  });
}

}  // namespace tappet::python
