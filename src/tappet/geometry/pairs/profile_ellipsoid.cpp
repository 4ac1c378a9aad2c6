// An ellipsoid on a profile: its lowest point over each piece (three candidates: every third piece), and
// noses of the profile under it (two candidates: every other nose).
//
//   piece (n, A): x the point with the outward normal −n,  gap = n·(x − A) where x lies over the piece
#include "tappet/geometry/profile_round.hpp"
#include "tappet/geometry/shapes/ellipsoid.hpp"

namespace tappet::pairs::profile_ellipsoid {
namespace {

const Registration<PairType> registered{round_pair<Ellipsoid>("ellipsoid")};

}  // namespace
}  // namespace tappet::pairs::profile_ellipsoid
