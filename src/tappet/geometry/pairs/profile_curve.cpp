// A convex curve on a profile: its lowest point over each piece (three candidates: every third piece), and
// noses of the profile under it (two candidates: every other nose).
//
//   piece (n, A): x the point with the outward normal −n,  gap = n·(x − A) where x lies over the piece
#include "tappet/geometry/profile_round.hpp"
#include "tappet/geometry/shapes/curve.hpp"

namespace tappet::pairs::profile_curve {
namespace {

const Registration<PairType> registered{round_pair<Curve>("curve")};

}  // namespace
}  // namespace tappet::pairs::profile_curve
