// Bodies of revolution about the y axis, by their half section at x ≥ 0, z = const: CAX3, CAX4, CAX6 and CAX8 of Abaqus and CalculiX,
// integrated in full whatever the file's variant. Mass and forces are those of the whole ring.
#include "tappet/fem/plane.hpp"

namespace tappet::fem::elements::ring {
namespace {

using namespace plane;

const Registration<ElementType> of_three{
    PlaneElement<Triangle, Kind::ring>::type("ring3", "3-node triangle, of revolution: stiff in bending")};
const Registration<ElementType> of_four{PlaneElement<Quadrangle, Kind::ring>::type(
    "ring4", "4-node quadrangle, of revolution: stiff in bending")};
const Registration<ElementType> of_six{
    PlaneElement<Triangle6, Kind::ring>::type("ring6", "6-node triangle, of revolution")};
const Registration<ElementType> of_eight{
    PlaneElement<Quadrangle8, Kind::ring>::type("ring8", "8-node quadrangle, of revolution")};

}  // namespace
}  // namespace tappet::fem::elements::ring
