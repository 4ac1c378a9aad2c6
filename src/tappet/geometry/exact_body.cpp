#include "tappet/geometry/exact_body.hpp"

#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"

#ifdef TAPPET_OPENCASCADE
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GProp_GProps.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>

#include "tappet/geometry/exact_data.hpp"
#endif

namespace tappet {

namespace fs = std::filesystem;

#ifdef TAPPET_OPENCASCADE

namespace {

/// Does a BREP file begin as one? OpenCASCADE prints to standard output when it does not.
bool begins_as_brep(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i < 8 && std::getline(in, line); ++i)
    if (line.starts_with("CASCADE Topology V")) return true;
  return false;
}

/// The shape of a file; a null one when it cannot be read.
TopoDS_Shape read_shape(const std::string& path, bool step) {
  TopoDS_Shape shape;
  if (step) {
    STEPControl_Reader reader;
    if (reader.ReadFile(path.c_str()) != IFSelect_RetDone) return {};
    reader.TransferRoots();
    return reader.NbShapes() > 0 ? reader.OneShape() : shape;
  }
  if (!begins_as_brep(path)) return {};
  BRep_Builder builder;
  return BRepTools::Read(shape, path.c_str(), builder) ? shape : TopoDS_Shape();
}

std::string extension_of(const std::string& path) {
  std::string out = fs::path(path).extension().string();
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_step(const std::string& extension) {
  return extension == ".step" || extension == ".stp";
}

std::unique_ptr<ExactBody> body_of(const TopoDS_Shape& shape) {
  auto data = std::make_unique<ExactBody::Data>();
  data->shape = shape;
  return std::make_unique<ExactBody>(std::move(data));
}

/// Appends the triangles of a meshed face, turned outward.
void add_face(const TopoDS_Face& face, int part, TriangleMesh& out) {
  TopLoc_Location place;
  const Handle(Poly_Triangulation) net = BRep_Tool::Triangulation(face, place);
  if (net.IsNull()) return;
  const int base = static_cast<int>(out.vertices.size()) - 1;  // OpenCASCADE counts from 1
  for (int i = 1; i <= net->NbNodes(); ++i)
    out.vertices.push_back(vec3(net->Node(i).Transformed(place.Transformation())));
  const bool reversed = face.Orientation() == TopAbs_REVERSED;
  for (int i = 1; i <= net->NbTriangles(); ++i) {
    int a, b, c;
    net->Triangle(i).Get(a, b, c);
    out.triangles.push_back(reversed ? Triangle{base + a, base + c, base + b}
                                     : Triangle{base + a, base + b, base + c});
    out.parts.push_back(part);
  }
}

}  // namespace

bool exact_bodies_available() {
  return true;
}

SolidProperties ExactBody::properties() const {
  GProp_GProps found;
  BRepGProp::VolumeProperties(data_->shape, found);
  SolidProperties out{found.Mass(), vec3(found.CentreOfMass()), Mat3::Zero()};
  const gp_Mat about = found.MatrixOfInertia();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.inertia(i, j) = about.Value(i + 1, j + 1);
  return out;
}

double ExactBody::diagonal() const {
  Bnd_Box box;
  BRepBndLib::Add(data_->shape, box);
  return box.IsVoid() ? 0 : std::sqrt(box.SquareExtent());
}

TriangleMesh ExactBody::mesh(double tolerance) const try {
  constexpr double turn = 0.35;  // rad between neighbouring triangles, at most: well below a crease
  BRepMesh_IncrementalMesh mesher(data_->shape, tolerance, false, turn, false);
  TriangleMesh out;
  int part = 0;
  for (TopExp_Explorer at(data_->shape, TopAbs_FACE); at.More(); at.Next())
    add_face(TopoDS::Face(at.Current()), part++, out);
  return welded(out, 1e-7 * diagonal());
} catch (const Standard_Failure&) {
  return {};
}

std::unique_ptr<ExactBody> read_exact_body(const std::string& path, const SourcePos& pos,
                                           Diagnostics& diagnostics) {
  const auto report = [&](const std::string& what) {
    diagnostics.error(pos, fmt::format("solid file {}: {}", quote(path), what));
    return nullptr;
  };
  // OpenCASCADE opens it by its name; read here, it is remembered and known to be ordinary.
  if (std::string why; !read_input_file(path, why))
    return report(why == "does not exist" ? "there is no such file" : "it " + why);
  const std::string extension = extension_of(path);
  const bool step = is_step(extension);
  if (!step && extension != ".brep")
    return report(fmt::format("its extension '{}' is not one of .step, .stp and .brep", extension));

  // What OpenCASCADE would print is said below.
  Message::DefaultMessenger()->ChangePrinters().Clear();
  TopoDS_Shape shape;
  try {
    shape = read_shape(path, step);
    if (shape.IsNull()) return report(fmt::format("it is not a readable {} file", step ? "STEP" : "BREP"));
    if (!TopExp_Explorer(shape, TopAbs_SOLID).More()) return report("it holds no solid");
    GProp_GProps found;
    BRepGProp::VolumeProperties(shape, found);
    if (!(found.Mass() > 0))
      return report(
          fmt::format("its solid encloses a volume of {:.3g}; a positive one is needed", found.Mass()));
  } catch (const Standard_Failure& failure) {
    return report(fmt::format("OpenCASCADE cannot use it ({})", failure.GetMessageString()));
  }
  return body_of(shape);
}

bool ExactBody::write(const std::string& path) const {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  if (!is_step(extension_of(path))) return BRepTools::Write(data_->shape, path.c_str());
  STEPControl_Writer writer;
  return writer.Transfer(data_->shape, STEPControl_AsIs) == IFSelect_RetDone &&
         writer.Write(path.c_str()) == IFSelect_RetDone;
}

std::unique_ptr<ExactBody> exact_ball(double radius) {
  return body_of(BRepPrimAPI_MakeSphere(radius).Shape());
}
std::unique_ptr<ExactBody> exact_box(const Vec3& half) {
  return body_of(
      BRepPrimAPI_MakeBox(gp_Pnt(-half.x(), -half.y(), -half.z()), gp_Pnt(half.x(), half.y(), half.z()))
          .Shape());
}
std::unique_ptr<ExactBody> exact_cylinder(double radius, double half_length) {
  return body_of(
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -half_length), gp_Dir(0, 0, 1)), radius, 2 * half_length)
          .Shape());
}
// A half outline turned round the z axis: arc, straight side, arc.
std::unique_ptr<ExactBody> exact_capsule(double radius, double half_length) {
  const gp_Pnt low(0, 0, -half_length - radius), high(0, 0, half_length + radius);
  const gp_Pnt a(radius, 0, -half_length), b(radius, 0, half_length);
  const double s = radius * std::sqrt(0.5);
  const TopoDS_Wire outline =
      BRepBuilderAPI_MakeWire(
          BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(low, gp_Pnt(s, 0, -half_length - s), a).Value()),
          BRepBuilderAPI_MakeEdge(a, b),
          BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(b, gp_Pnt(s, 0, half_length + s), high).Value()),
          BRepBuilderAPI_MakeEdge(high, low))
          .Wire();
  return body_of(BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(outline).Face(), gp::OZ()).Shape());
}

std::unique_ptr<ExactBody> ExactBody::placed(double scale, const Pose& place) const {
  gp_Trsf turn, size;
  const Mat3& R = place.R;
  turn.SetValues(R(0, 0), R(0, 1), R(0, 2), place.r.x(), R(1, 0), R(1, 1), R(1, 2), place.r.y(), R(2, 0),
                 R(2, 1), R(2, 2), place.r.z());
  size.SetScaleFactor(scale);
  return body_of(BRepBuilderAPI_Transform(data_->shape, turn * size, true).Shape());
}

std::unique_ptr<ExactBody> ExactBody::free_form() const {
  return body_of(BRepBuilderAPI_NurbsConvert(data_->shape, true).Shape());
}

#else

struct ExactData {};

bool exact_bodies_available() {
  return false;
}
SolidProperties ExactBody::properties() const {
  return {};
}
double ExactBody::diagonal() const {
  return 0;
}
TriangleMesh ExactBody::mesh(double) const {
  return {};
}
bool ExactBody::write(const std::string&) const {
  return false;
}
std::unique_ptr<ExactBody> ExactBody::placed(double, const Pose&) const {
  return nullptr;
}
std::unique_ptr<ExactBody> ExactBody::free_form() const {
  return nullptr;
}
std::unique_ptr<ExactBody> exact_capsule(double, double) {
  return nullptr;
}
std::unique_ptr<ExactBody> exact_ball(double) {
  return nullptr;
}
std::unique_ptr<ExactBody> exact_box(const Vec3&) {
  return nullptr;
}
std::unique_ptr<ExactBody> exact_cylinder(double, double) {
  return nullptr;
}
std::unique_ptr<ExactBody> read_exact_body(const std::string& path, const SourcePos& pos,
                                           Diagnostics& diagnostics) {
  diagnostics.error(
      pos,
      fmt::format(
          "solid file {}: this Tappet was built without OpenCASCADE, which reads STEP and BREP; install "
          "libocct-modeling-algorithms-dev and libocct-data-exchange-dev (group 'exact' in packages.txt) "
          "and build again",
          quote(path)));
  return nullptr;
}

#endif

ExactBody::ExactBody(std::unique_ptr<Data> data) : data_(std::move(data)) {}
ExactBody::~ExactBody() = default;

}  // namespace tappet
