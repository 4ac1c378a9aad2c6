#include "tappet/studies/headline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/model/model.hpp"

namespace tappet {

std::vector<Metric> headline(const Model& model, const MetricNames& names) {
  std::vector<std::string> texts;
  const Mechanism& m = model.mechanism;
  for (const Motion& motion : m.motions) {
    if (motion.effort.empty()) continue;
    const std::string signal = motion.constraint->name + "." + motion.effort;
    for (const char* figure : {"max(abs({}))", "rms({})"})
      texts.push_back(fmt::format(fmt::runtime(figure), signal));
  }
  constexpr std::size_t most = 8;
  for (std::size_t c = 0; c < std::min(most, names.contacts.size()); ++c)
    for (const char* figure : {"count({}.impacts)", "max({}.normal)", "mean({}.normal)",
                               "max({}.penetration)", "max({}.impacts.impulse)"})
      texts.push_back(fmt::format(fmt::runtime(figure), names.contacts[c]));
  for (const char* energy : {"input", "normal_loss", "friction_loss", "damping_loss"})
    texts.push_back(fmt::format("last(energy.{})", energy));
  if (!m.films.empty()) texts.push_back("last(energy.film_loss)");
  for (std::size_t b = 0; b < std::min<std::size_t>(3, m.bodies.size()); ++b)
    for (const char* end : {"x", "y", "z"})
      if (end[0] != 'z' || m.dimension == Dimension::spatial)
        texts.push_back(fmt::format("last({}.{})", m.bodies[b].name, end));
  std::vector<Metric> out;
  for (const std::string& text : texts) out.push_back(Metric::parse(text, Metric::Kind::value, text, names));
  return out;
}

}  // namespace tappet
