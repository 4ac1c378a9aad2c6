// Plates loaded in their plane z = const: CPS3, CPS4, CPS6 and CPS8 of Abaqus and CalculiX, integrated in full whatever the file's
// variant. Their section needs a `thickness`.
#include "tappet/fem/plane.hpp"

namespace tappet::fem::elements::plane_stress {
namespace {

using namespace plane;

const Registration<ElementType> of_three{PlaneElement<Triangle, Kind::stress>::type(
    "plane-stress3", "3-node triangle, plane stress: stiff in bending")};
const Registration<ElementType> of_four{PlaneElement<Quadrangle, Kind::stress>::type(
    "plane-stress4", "4-node quadrangle, plane stress: stiff in bending")};
const Registration<ElementType> of_six{
    PlaneElement<Triangle6, Kind::stress>::type("plane-stress6", "6-node triangle, plane stress")};
const Registration<ElementType> of_eight{
    PlaneElement<Quadrangle8, Kind::stress>::type("plane-stress8", "8-node quadrangle, plane stress")};

}  // namespace
}  // namespace tappet::fem::elements::plane_stress
