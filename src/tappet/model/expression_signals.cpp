#include "tappet/model/expression_signals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/unit_error.hpp"
#include "tappet/base/units.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/run_parameters.hpp"
#include "tappet/model/signals.hpp"

namespace tappet {
namespace {

enum class Level { motion, law, reaction };

/// One thing that expressions read.
struct Read {
  std::string name;
  enum class Kind { signal, state, rate } kind = Kind::signal;
  int state = -1;                // its number, of a state or the rate of one
  SignalDefinition signal = {};  // of the model
  SignalDefinition slope = {};   // its rate, where that is a signal
  std::string unit = "1";
  Level level = Level::motion;
  bool has_rate = false;        // that places and speeds tell
  std::vector<int> needs = {};  // others, at the same instant
};

class ModelFeed final : public SignalFeed {
 public:
  const Model* model = nullptr;
  std::vector<double> defaults;  // of the inputs
  std::vector<Read> reads;       // behind these
  std::vector<int> early, late;  // of the reads, each behind those that it needs
  bool rates = false;            // somebody reads them
  bool energies = false;         // the late ones show energies

  int inputs() const { return static_cast<int>(defaults.size()); }

  void prepare(Kinematics& k) const override {
    k.read.assign(defaults.begin(), defaults.end());
    k.read.resize(defaults.size() + reads.size(), 0.0);
    k.read_rates.assign(k.read.size(), 0.0);
    k.inputs = k.read.data();
    k.input_rates = k.read_rates.data();
  }

  double* z_of(const Kinematics& k, const ModelState& s) const {
    return k.z ? const_cast<double*>(k.z) + s.first : nullptr;
  }
  double initial(const ModelState& s) const {
    for (const StateVariable& v : model->mechanism.states)
      if (v.offset == s.first) return v.initial;
    return 0;
  }

  /// The state itself, or the response of a transfer function.
  double value_of(const ModelState& s, const Kinematics& k, const double* v) const {
    const double* z = z_of(k, s);
    if (!s.responds) return z ? z[0] : initial(s);
    double out = s.d != 0 ? s.d * s.of(k.t, v) : 0;
    for (std::size_t i = 0; i < s.c.size(); ++i) out += s.c[i] * (z ? z[i] : i == 0 ? initial(s) : 0);
    return out;
  }
  /// Rates of its variables.
  void rates_of(const ModelState& s, const Kinematics& k, const double* v, double* zdot) const {
    const double f = s.of(k.t, v);
    if (!s.responds) {
      zdot[0] = f;
      return;
    }
    const double* z = z_of(k, s);
    const int n = s.order();
    double sum = f;
    for (int i = 0; i < n; ++i) {
      const double x = z ? z[i] : 0;
      sum -= s.a[i] * x;
      if (i + 1 < n) zdot[i] = z ? z[i + 1] : 0;
    }
    if (n > 0) zdot[n - 1] = sum;
  }
  double rate_of(const ModelState& s, const Kinematics& k, const double* v) const {
    if (!s.responds) return s.of(k.t, v);
    double out = 0, zdot[most_order];
    rates_of(s, k, v, zdot);
    for (std::size_t i = 0; i < s.c.size(); ++i) out += s.c[i] * zdot[i];
    return out;
  }

  double evaluate(const Read& read, SignalContext& context, const double* v) const {
    switch (read.kind) {
      case Read::Kind::state:
        return value_of(model->states[read.state], context.k, v);
      case Read::Kind::rate:
        return rate_of(model->states[read.state], context.k, v);
      case Read::Kind::signal:
        break;
    }
    if (read.level == Level::law && !context.k.contacts) return 0;
    return read.signal.evaluate(context, read.signal);
  }

  void fill(Kinematics& k, const double* q) const override {
    double* v = k.read.data();
    const double* set = k.set_inputs ? k.set_inputs : defaults.data();
    std::copy_n(set, defaults.size(), v);
    k.inputs = v;
    k.input_rates = k.read_rates.data();
    SignalContext context{.model = *model, .k = k, .q = q, .z = k.z};
    for (const int n : early) v[inputs() + n] = evaluate(reads[n], context, v);
    if (!rates) return;
    for (std::size_t n = 0; n < reads.size(); ++n) {
      const Read& read = reads[n];
      if (!read.has_rate) continue;
      k.read_rates[defaults.size() + n] = read.kind == Read::Kind::state
                                              ? rate_of(model->states[read.state], k, v)
                                              : read.slope.evaluate(context, read.slope);
    }
  }

  void state_rates(const DynamicsWorkspace& w, const double* q, double* zdot) const override {
    const double* v = w.k.read.data();
    std::vector<double> all;
    if (!late.empty()) {
      all = w.k.read;
      SignalContext context{.model = *model, .k = w.k, .q = q, .z = w.k.z, .w = &w};
      if (energies) {
        context.kinetic = kinetic_energy(model->mechanism, w.k);
        context.potential = stored_energy(model->mechanism, w);
      }
      for (const int n : late) all[defaults.size() + n] = evaluate(reads[n], context, all.data());
      v = all.data();
    }
    for (const ModelState& s : model->states) rates_of(s, w.k, v, zdot + s.first);
  }

  std::string not_finite(const Kinematics& k) const override {
    for (std::size_t n = 0; n < reads.size(); ++n)
      if (!std::isfinite(k.read[defaults.size() + n]))
        return fmt::format("'{}', which expressions read, is {:g} at t = {:.9g} s", reads[n].name,
                           k.read[defaults.size() + n], k.t);
    if (!late.empty()) return "";
    for (const ModelState& s : model->states)
      if (const double f = s.of(k.t, k.inputs); !std::isfinite(f))
        return fmt::format("the {} of state '{}' is not a finite number at t = {:.9g} s: '{}' is {:g}",
                           s.responds ? "input" : "rate", s.name, k.t, s.of.text(), f);
    return "";
  }

  static constexpr int most_order = 32;
};

// ---- states

std::optional<Expression> read_state(const Origin& o, const std::string& key, const std::string& text,
                                     const std::string& unit, const Definitions& definitions,
                                     Diagnostics& diagnostics) {
  try {
    Expression out = Expression::parse_quantity(text, {"t"}, unit, &definitions, Inputs::all);
    definitions.note_signals(out.ops(), o.where(key), fmt::format("`{}` of state '{}'", key, o.name),
                             Inputs::all, unit == "1/s" || unit.empty() ? std::nullopt : std::optional(unit));
    return out;
  } catch (const std::runtime_error& fault) {
    diagnostics.error(o.where(key),
                      fmt::format("`{}` of state '{}' is '{}': {}", key, o.name, text, fault.what()));
    return {};
  }
}

/// Coefficients as they are needed: those of the lowest power first, divided by that of the highest in the denominator.
bool read_response(const TransferFunctionParameters& p, const Origin& o, ModelState& out,
                   Diagnostics& diagnostics) {
  const auto lowest_first = [](std::vector<double> v) {
    while (v.size() > 1 && v.front() == 0) v.erase(v.begin());
    std::reverse(v.begin(), v.end());
    return v;
  };
  std::vector<double> a = lowest_first(p.denominator), b = lowest_first(p.numerator);
  const double lead = a.back();
  out.responds = true;
  const auto wrong = [&](const std::string& what) {
    diagnostics.error(o.where("transfer_function"),
                      fmt::format("the transfer function of state '{}' {}", o.name, what));
    return false;
  };
  if (lead == 0) return wrong("has a denominator that is 0");
  if (b.size() == 1 && b[0] == 0) return wrong("has a numerator that is 0");
  if (b.size() > a.size())
    return wrong(
        fmt::format("has a numerator of degree {} over a denominator of degree {}: it would ask for "
                    "derivatives of its input; the numerator's degree is at most the denominator's",
                    b.size() - 1, a.size() - 1));
  const int n = static_cast<int>(a.size()) - 1;
  if (n > ModelFeed::most_order)
    return wrong(fmt::format("is of order {}; at most {}", n, ModelFeed::most_order));
  b.resize(a.size(), 0.0);
  for (double& x : b) x /= lead;
  for (double& x : a) x /= lead;
  out.d = b.back();
  out.a.assign(a.begin(), a.end() - 1);
  for (int i = 0; i < n; ++i) out.c.push_back(b[i] - out.d * a[i]);
  return true;
}

}  // namespace

void compile_states(const std::vector<Object>& states, const Definitions& definitions, Model& model,
                    Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  for (const Object& object : states) {
    const AnyParameters parameters = object.parameters();
    const auto& p = parameters.as<StateParameters>();
    const Origin& o = parameters.origin;
    ModelState state{.name = o.name, .unit = p.unit.empty() ? "1" : p.unit, .pos = o.name_pos};
    try {
      if (si_factor(p.unit) != 1)
        throw UnitError(
            fmt::format("'{}' is not a unit of the SI itself; write one such as m, N or rad", p.unit));
    } catch (const UnitError& fault) {
      diagnostics.error(o.where("unit"), fmt::format("`unit` of state '{}': {}", o.name, fault.what()));
      continue;
    }
    if (p.derivative.empty() == !p.transfer_function) {
      diagnostics.error(
          o.name_pos,
          fmt::format("state '{}' gives {} `derivative` {} `transfer_function`; one of them is needed",
                      o.name, p.derivative.empty() ? "neither" : "both",
                      p.derivative.empty() ? "nor" : "and"));
      continue;
    }
    const auto of =
        p.transfer_function
            ? read_state(o, "transfer_function", p.transfer_function->input, "", definitions, diagnostics)
            : read_state(o, "derivative", p.derivative, p.unit.empty() ? "1/s" : fmt::format("{}/s", p.unit),
                         definitions, diagnostics);
    if (!of) continue;
    state.of = *of;
    if (p.transfer_function && !read_response(*p.transfer_function, o, state, diagnostics)) continue;
    state.first = m.aux_size;
    // A response rests at y where x₁ is y/c₁ and its input a₁ x₁ − d a₁ x₁ …: with x₁ alone, y = c₁ x₁ + d a₁ x₁.
    double initial = p.initial;
    if (state.responds && initial != 0) {
      const double gain = state.order() > 0 ? state.c[0] + state.d * state.a[0] : 0;
      if (gain == 0) {
        diagnostics.error(o.where("initial"),
                          fmt::format("state '{}' cannot rest at {:g}: its transfer function is 0 at rest",
                                      o.name, initial));
        continue;
      }
      initial /= gain;
    }
    for (int i = 0; i < state.order(); ++i)
      m.states.push_back(
          {state.order() == 1 ? o.name : fmt::format("{} ({} of {})", o.name, i + 1, state.order()),
           m.aux_size++, i == 0 ? initial : 0.0, p.scale});
    model.states.push_back(std::move(state));
  }
}

namespace {

const char* words_of(Level level) {
  return level == Level::law ? "the force of a contact" : "a reaction or an acceleration, or depends on one";
}

/// Looks for everything that expressions read, and what it may be read by.
class FeedCompiler {
 public:
  FeedCompiler(const Definitions& definitions, const SourcePos& pos, Model& model, Diagnostics& diagnostics)
      : definitions_(definitions), pos_(pos), model_(model), diagnostics_(diagnostics) {}

  std::unique_ptr<ModelFeed> make() {
    auto feed = std::make_unique<ModelFeed>();
    feed->model = &model_;
    for (const ModelInput& input : model_.inputs) feed->defaults.push_back(input.default_value);
    list_signals();
    // Looking for one may add what it needs: the rate of a state reads others.
    const SignalsRead& read = *definitions_.signals();
    bool found = true;
    for (int n = 0; n < static_cast<int>(read.names().size()); ++n) found = find(n, feed->reads) && found;
    if (!found) return nullptr;
    if (!order(*feed)) return nullptr;
    for (int n = 0; n < static_cast<int>(feed->reads.size()); ++n) check_uses(n, *feed);
    return feed;
  }

 private:
  void list_signals() {
    std::vector<SignalProvider> providers = SignalRegistry::instance().entries();
    for (const SignalProvider& provider : providers) {
      std::vector<SignalDefinition> own;
      if (provider.name == "measures" || provider.name == "states") continue;
      provider.offer(model_, own);
      (provider.of_structures ? of_structures_ : signals_)
          .insert((provider.of_structures ? of_structures_ : signals_).end(), own.begin(), own.end());
    }
  }

  const SignalDefinition* signal(const std::string& name) const {
    const auto at =
        std::find_if(signals_.begin(), signals_.end(), [&](const auto& s) { return s.name == name; });
    return at == signals_.end() ? nullptr : &*at;
  }

  /// Reported wherever it is read.
  bool wrong(int n, const std::string& what) {
    const auto& uses = definitions_.signals()->uses(n);
    if (uses.empty()) diagnostics_.error(pos_, fmt::format("`define` reads {}", what));
    for (const SignalsRead::Use& use : uses)
      diagnostics_.error(use.pos, fmt::format("{} reads {}", use.words, what));
    return false;
  }

  bool find(int n, std::vector<Read>& out) {
    Read read{.name = definitions_.signals()->name(n)};
    std::string state = read.name.starts_with("states.") ? read.name.substr(7) : "";
    if (state.ends_with(".rate")) state.resize(state.size() - 5), read.kind = Read::Kind::rate;
    if (!state.empty()) {
      for (std::size_t i = 0; i < model_.states.size(); ++i)
        if (model_.states[i].name == state) read.state = static_cast<int>(i);
      if (read.state < 0) {
        std::vector<std::string> names;
        for (const ModelState& s : model_.states) names.push_back("states." + s.name);
        return unknown(n, read.name, names);
      }
      const ModelState& s = model_.states[read.state];
      if (read.kind == Read::Kind::signal) read.kind = Read::Kind::state;
      read.unit = read.kind == Read::Kind::state ? s.unit : s.unit == "1" ? "1/s" : s.unit + "/s";
      // A response shows its input at once where its numerator is of the denominator's degree.
      const bool at_once =
          read.kind == Read::Kind::rate ? !s.responds || (!s.c.empty() && s.c.back() != 0) : s.d != 0;
      if (read.kind == Read::Kind::rate && s.d != 0)
        return wrong(n, fmt::format("'{}': the response follows its input at once, whose rate is not known",
                                    read.name));
      if (at_once || read.kind == Read::Kind::rate) read.needs = needs_of(s.of);
    } else if (const SignalDefinition* found = signal(read.name)) {
      read.signal = *found;
      read.unit = found->unit;
      read.level = !found->needs_forces ? Level::motion : found->by_law ? Level::law : Level::reaction;
      if (const SignalDefinition* slope = signal(found->rate); slope && !slope->needs_forces)
        read.slope = *slope, read.has_rate = true;
      if (read.name == "energy.residual")
        return wrong(n, "'energy.residual', which is an error of the run and no quantity of the model");
    } else {
      if (std::any_of(of_structures_.begin(), of_structures_.end(),
                      [&](const auto& s) { return s.name == read.name; }))
        return wrong(
            n, fmt::format("'{}', a signal of a finite-element structure, which expressions cannot read",
                           read.name));
      std::vector<std::string> names;
      for (const SignalDefinition& s : signals_) names.push_back(s.name);
      return unknown(n, read.name, names);
    }
    out.push_back(std::move(read));
    return true;
  }

  bool unknown(int n, const std::string& name, const std::vector<std::string>& names) {
    const std::string near = nearest_name(name, names);
    const std::string owner = name.substr(0, name.find('.') + 1);
    std::vector<std::string> siblings;
    for (const std::string& other : names)
      if (other.starts_with(owner)) siblings.push_back(other);
    return wrong(n, fmt::format("'{}', and there is no such signal{}{}", name,
                                near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                                siblings.empty() ? ""
                                                 : fmt::format("{} There are {}", near.empty() ? "." : "",
                                                               join_names(siblings, 12))));
  }

  std::vector<int> needs_of(const Expression& expression) const {
    std::vector<int> out;
    const int inputs = static_cast<int>(model_.inputs.size());
    for (const ExpressionOp& op : expression.ops())
      if (op.code == expression_ops::input && op.argument >= inputs) out.push_back(op.argument - inputs);
    return out;
  }

  /// Each behind those that it needs; a loop is named.
  bool order(ModelFeed& feed) {
    std::vector<int> mark(feed.reads.size(), 0), way, sorted;
    bool loops = false;
    const auto visit = [&](auto& self, int n) -> void {
      if (mark[n] == 2 || loops) return;
      way.push_back(n);
      if (mark[n] == 1) {
        std::string text;
        for (auto at = std::find(way.begin(), way.end(), n); at != way.end(); ++at)
          text += (text.empty() ? "'" : " needs '") + feed.reads[*at].name + "'";
        const int state = feed.reads[n].state;
        diagnostics_.error(state >= 0 ? model_.states[state].pos : pos_,
                           fmt::format("an algebraic loop: {} at the same instant; let a state follow one of "
                                       "them, which takes time",
                                       text));
        loops = true;
      } else {
        mark[n] = 1;
        for (const int other : feed.reads[n].needs) self(self, other);
        mark[n] = 2;
        sorted.push_back(n);
        for (const int other : feed.reads[n].needs)
          feed.reads[n].level = std::max(feed.reads[n].level, feed.reads[other].level);
      }
      way.pop_back();
    };
    for (int n = 0; n < static_cast<int>(feed.reads.size()); ++n) visit(visit, n);
    if (loops) return false;
    for (const Level level : {Level::motion, Level::law, Level::reaction})
      for (const int n : sorted)
        if (feed.reads[n].level == level) (level == Level::reaction ? feed.late : feed.early).push_back(n);
    for (Read& read : feed.reads) {
      if (read.kind == Read::Kind::state) {
        const ModelState& s = model_.states[read.state];
        if (read.level == Level::reaction)
          diagnostics_.error(s.pos,
                             fmt::format("the response '{}' shows a reaction or an acceleration at once, "
                                         "since its numerator is of the denominator's degree; a state has "
                                         "to take time for that",
                                         s.name));
        read.has_rate = s.d == 0;
        for (const int other : needs_of(s.of))
          read.has_rate = read.has_rate && feed.reads[other].level == Level::motion;
      }
      feed.energies = feed.energies || (read.level == Level::reaction && read.name.starts_with("energy."));
    }
    return true;
  }

  void check_uses(int n, ModelFeed& feed) {
    const Read& read = feed.reads[n];
    for (const SignalsRead::Use& use : definitions_.signals()->uses(n)) {
      const Level deepest = use.where == Inputs::all       ? Level::reaction
                            : use.where == Inputs::allowed ? Level::law
                                                           : Level::motion;
      if (read.level > deepest) {
        const bool loop = read.level == Level::reaction;
        diagnostics_.error(
            use.pos,
            fmt::format(
                "{} reads '{}', {}{}", use.words, read.name, words_of(read.level),
                loop ? fmt::format(", on which it has an effect at the same instant: an algebraic loop, "
                                   "'{}' needs {} needs '{}'. A state that follows breaks it, `states: "
                                   "{{follow: {{derivative: ({} - follow)/0.001}}}}`",
                                   read.name, use.words, read.name, read.name)
                     : "; what stands there may read places, speeds and states alone"));
      } else if (use.where == Inputs::speed && !read.has_rate) {
        diagnostics_.error(
            use.pos,
            fmt::format("{} reads '{}', whose rate is an acceleration or not known, and a prescribed "
                        "speed needs it; prescribe the `acceleration`, or let a state follow it",
                        use.words, read.name));
      }
      feed.rates = feed.rates || use.where == Inputs::speed;
      if (use.alone) check_unit(read, use);
    }
  }

  void check_unit(const Read& read, const SignalsRead::Use& use) {
    try {
      si_factor(read.unit == "1" ? "" : read.unit, use.alone_as);
    } catch (const UnitError&) {
      diagnostics_.error(use.pos,
                         fmt::format("{} is '{}', which is in {}, but {} is needed; write 1*{} for its "
                                     "number",
                                     use.words, read.name, read.unit == "1" ? "plain numbers" : read.unit,
                                     use.alone_as.empty() ? "a plain number" : use.alone_as, read.name));
    }
  }

  const Definitions& definitions_;
  const SourcePos& pos_;
  Model& model_;
  Diagnostics& diagnostics_;
  std::vector<SignalDefinition> signals_, of_structures_;
};

}  // namespace

void compile_expression_signals(const Definitions& definitions, const SourcePos& pos, Model& model,
                                Diagnostics& diagnostics) {
  if (definitions.signals()->names().empty() && model.states.empty()) return;
  const int errors = diagnostics.error_count();
  model.mechanism.feed = FeedCompiler(definitions, pos, model, diagnostics).make();
  if (diagnostics.error_count() > errors) model.mechanism.feed.reset();
}

int place_of_state(const Model& model, int n) {
  return static_cast<int>(model.inputs.size()) + n;
}

}  // namespace tappet
