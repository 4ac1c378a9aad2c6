// Slices of long bodies, in their plane z = const: CPE3, CPE4, CPE6 and CPE8 of Abaqus and CalculiX, integrated in full whatever
// the file's variant. Their section needs a `thickness`: that of the slice.
#include "tappet/fem/plane.hpp"

namespace tappet::fem::elements::plane_strain {
namespace {

using namespace plane;

const Registration<ElementType> of_three{PlaneElement<Triangle, Kind::strain>::type(
    "plane-strain3", "3-node triangle, plane strain: stiff in bending")};
const Registration<ElementType> of_four{PlaneElement<Quadrangle, Kind::strain>::type(
    "plane-strain4", "4-node quadrangle, plane strain: stiff in bending")};
const Registration<ElementType> of_six{
    PlaneElement<Triangle6, Kind::strain>::type("plane-strain6", "6-node triangle, plane strain")};
const Registration<ElementType> of_eight{
    PlaneElement<Quadrangle8, Kind::strain>::type("plane-strain8", "8-node quadrangle, plane strain")};

}  // namespace
}  // namespace tappet::fem::elements::plane_strain
