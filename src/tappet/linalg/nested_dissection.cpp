#include "tappet/linalg/nested_dissection.hpp"

#include <metis.h>
#include <stdexcept>

namespace tappet {

std::vector<int> nested_dissection(const Graph& g, const std::vector<int>& weight,
                                   const std::vector<char>& late) {
  std::vector<int> order, number(g.size(), -1);
  for (int i = 0; i < static_cast<int>(g.size()); ++i)
    if (!late[i]) number[i] = static_cast<int>(order.size()), order.push_back(i);
  idx_t size = static_cast<idx_t>(order.size()), options[METIS_NOPTIONS];
  std::vector<idx_t> start = {0}, neighbours, weights, perm(size), inverse(size);
  for (int i : order) {
    for (int j : g[i])
      if (j != i && number[j] >= 0) neighbours.push_back(number[j]);
    start.push_back(static_cast<idx_t>(neighbours.size()));
    weights.push_back(weight[i]);
  }
  if (!neighbours.empty()) {
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;  // the same order in every run
    if (METIS_NodeND(&size, start.data(), neighbours.data(), weights.data(), options, perm.data(),
                     inverse.data()) != METIS_OK)
      throw std::runtime_error("METIS could not order the matrix");
    const std::vector<int> before = order;
    for (int k = 0; k < size; ++k) order[k] = before[perm[k]];
  }
  for (int i = 0; i < static_cast<int>(g.size()); ++i)
    if (late[i]) order.push_back(i);
  return order;
}

}  // namespace tappet
