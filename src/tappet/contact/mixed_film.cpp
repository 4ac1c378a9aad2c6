#include "tappet/contact/mixed_film.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tappet/base/sections.hpp"

namespace tappet {
namespace {

class FadingFilm final : public FilmLaw {
 public:
  FadingFilm(std::unique_ptr<FilmLaw> film, double tolerance, double least)
      : film_(std::move(film)), tolerance_(tolerance), least_(least) {
    bearing_ = film_->bearing();
    traits_ = film_->traits();
    traits_.largest_eccentricity = HUGE_VAL;
  }
  FilmOutput evaluate(const FilmInput& in) const override {
    double share = 0;
    const FilmInput kept = keep(in, share);
    return faded(film_->evaluate(kept), share);
  }
  FilmOutputOf<Number> evaluate_dual(const FilmInputOf<Number>& in) const override {
    Number share = 0;
    const FilmInputOf<Number> kept = keep(in, share);
    return faded(film_->evaluate_dual(kept), share);
  }
  double side_flow(const FilmInput& in) const override {
    double share = 0;
    const FilmInput kept = keep(in, share);
    return share * film_->side_flow(kept);
  }

 private:
  // e as the film sees it, and 1 − X.
  template <class T>
  FilmInputOf<T> keep(const FilmInputOf<T>& in, T& share) const {
    const T size = size_of(in.e[0], in.e[1]), gap = bearing_.clearance - size;
    share = 1 - blend_share<T>(-gap / tolerance_);
    if (value_of(gap) >= 2 * least_) return in;
    const T scale = (bearing_.clearance - kept_film<T>(gap, least_)) / size;
    return {{in.e[0] * scale, in.e[1] * scale}, in.w, in.spin};
  }
  template <class T>
  static FilmOutputOf<T> faded(FilmOutputOf<T> out, const T& share) {
    for (T& force : out.force) force = share * force;
    out.couple = share * out.couple;
    out.pressure_loss = share * out.pressure_loss, out.shear_loss = share * out.shear_loss;
    return out;
  }
  std::unique_ptr<FilmLaw> film_;
  double tolerance_, least_;
};

// Gauss and Legendre's ten points on [0, 1].
constexpr std::array<double, 5> points = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                          0.8650633666889845, 0.9739065285171717};
constexpr std::array<double, 5> weights = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                           0.1494513491505806, 0.0666713443086881};

class GrowingContact final : public NormalLaw {
 public:
  GrowingContact(std::shared_ptr<const NormalLaw> dry, double tolerance)
      : dry_(std::move(dry)), tolerance_(tolerance) {
    traits_ = dry_->traits();
    traits_.continuous = true;
    traits_.predicted_restitution = NormalTraits::unknown;
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const NormalOutput dry = dry_->evaluate(in);
    const double x = in.depth / tolerance_, share = blend_share(x);
    const double slope = x < 1 ? 6 * x * (1 - x) / tolerance_ : 0;
    NormalOutput out;
    out.force = share * dry.force;
    out.d_depth = share * dry.d_depth + slope * dry.force;
    out.d_rate = share * dry.d_rate;
    out.stored_energy = stored(in, dry.stored_energy);
    // What it does not store, it loses: X times what the dry law loses.
    out.dissipated_power = share * dry.dissipated_power;
    return out;
  }

 private:
  // ∫ X dU, by parts: X U − ∫ U X′ dδ.
  double stored(const NormalInput& in, double dry_stored) const {
    const double end = std::min(in.depth, tolerance_);
    double sum = 0;
    for (std::size_t n = 0; n < points.size(); ++n)
      for (const double side : {-1.0, 1.0}) {
        const double depth = 0.5 * end * (1 + side * points[n]), x = depth / tolerance_;
        NormalInput at = in;
        at.depth = depth;
        sum += 0.5 * end * weights[n] * dry_->evaluate(at).stored_energy * 6 * x * (1 - x) / tolerance_;
      }
    return blend_share(in.depth / tolerance_) * dry_stored - sum;
  }
  std::shared_ptr<const NormalLaw> dry_;
  double tolerance_;
};

}  // namespace

std::unique_ptr<FilmLaw> fading_film(std::unique_ptr<FilmLaw> film, double tolerance, double least_film) {
  return std::make_unique<FadingFilm>(std::move(film), tolerance, least_film);
}

std::shared_ptr<const NormalLaw> growing_contact(std::shared_ptr<const NormalLaw> dry, double tolerance) {
  return std::make_shared<GrowingContact>(std::move(dry), tolerance);
}

namespace {

Parameter least_film_parameter(const std::string& otherwise) {
  return {.name = "least_film",
          .unit = "m",
          .help = "thinnest gap h_* at which the film is taken; absent: " + otherwise,
          .range = positive()};
}

const Table& flores_table() {
  using P = FloresBlendParameters;
  static const Table table = table_of<P>(
      "a flores blend", "The film fades over a tolerance while dry contact grows",
      {{&P::tolerance,
        {.name = "tolerance",
         .unit = "m",
         .help =
             "e_t beyond the clearance over which dry contact takes over; absent: a tenth of the clearance",
         .range = positive()}},
       {&P::least_film, least_film_parameter("a hundredth of the clearance")}});
  return table;
}

const Table& greenwood_tripp_table() {
  using P = GreenwoodTrippParameters;
  static const Table table =
      table_of<P>("a greenwood-tripp surface", "Summits of rough surfaces bear what the film does not",
                  {{&P::roughness,
                    {.name = "roughness",
                     .unit = "m",
                     .help = "σ, standard deviation of the summits' heights, of both surfaces together",
                     .required = true,
                     .range = positive()}},
                   {&P::density,
                    {.name = "density",
                     .unit = "1/m^2",
                     .help = "η, summits per area",
                     .required = true,
                     .range = positive()}},
                   {&P::tip_radius,
                    {.name = "tip_radius",
                     .unit = "m",
                     .help = "β, of the summits",
                     .required = true,
                     .range = positive()}},
                   {&P::modulus,
                    {.name = "modulus",
                     .unit = "Pa",
                     .help = "E*, 1/E* = Σ (1 − ν²)/E; absent: of the joint's materials",
                     .range = positive()}},
                   {&P::coefficient,
                    {.name = "coefficient",
                     .help = "μ_a of the summits' friction",
                     .fallback = "0",
                     .range = not_negative()}},
                   {&P::friction_velocity,
                    {.name = "friction_velocity",
                     .unit = "m/s",
                     .help = "v₀ over which this friction changes its side",
                     .fallback = "1 mm/s",
                     .range = positive()}},
                   {&P::least_film, least_film_parameter("the roughness")}});
  return table;
}

}  // namespace

const Family& mixed_film_family() {
  static const Family family{.key = "law",
                             .noun = "law of mixed films",
                             .common = {.name = "a mixed film", .help = "", .parameters = {}},
                             .fallback = "flores",
                             .members = [] {
                               return std::vector<std::pair<std::string, const Table*>>{
                                   {"flores", &flores_table()},
                                   {"greenwood-tripp", &greenwood_tripp_table()}};
                             }};
  return family;
}

static const bool mixed_family_registered = (register_family("mixed", &mixed_film_family()), true);

}  // namespace tappet
