// Solids with exact surfaces, by OpenCASCADE: STEP and BREP files.
//
// OpenCASCADE is found when Tappet is built, or it is not; then every function here says so to the user, and
// nothing else is missing. It is linked dynamically (LGPL 2.1 with its exception) and used in exact_body.cpp
// and exact_surface.cpp alone.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/mesh.hpp"

namespace tappet {

/// Was OpenCASCADE there when this library was built?
bool exact_bodies_available();

struct ExactData;  ///< OpenCASCADE's

/// A solid in its file's unit and axes.
class ExactBody {
 public:
  using Data = ExactData;
  explicit ExactBody(std::unique_ptr<Data> data);
  ~ExactBody();

  /// Mass properties of the solid itself, not of a mesh; density 1.
  SolidProperties properties() const;
  /// Diagonal of the box around it.
  double diagonal() const;
  /// Closed and outward; nowhere farther than `tolerance` from the surface. Each face of the solid is a part
  /// of the mesh. Empty when OpenCASCADE fails.
  TriangleMesh mesh(double tolerance) const;
  /// The same solid in units of `scale`, turned and moved: body coordinates.
  std::unique_ptr<ExactBody> placed(double scale, const Pose& place) const;
  /// The same solid with free-form surfaces only, as some CAD programs write them.
  std::unique_ptr<ExactBody> free_form() const;
  /// As a file, by the extension: .step, .stp or .brep. False when it cannot be written.
  bool write(const std::string& path) const;
  const Data& data() const { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// Simple bodies around the origin; cylinders along z. Null when OpenCASCADE is not there.
std::unique_ptr<ExactBody> exact_ball(double radius);
std::unique_ptr<ExactBody> exact_box(const Vec3& half);
std::unique_ptr<ExactBody> exact_cylinder(double radius, double half_length);
std::unique_ptr<ExactBody> exact_capsule(double radius, double half_length);

/// By the extension: .step, .stp or .brep. STEP files come out in millimetres, whatever their own unit; BREP
/// files in theirs. Null after an error was reported at `pos`.
std::unique_ptr<ExactBody> read_exact_body(const std::string& path, const SourcePos& pos,
                                           Diagnostics& diagnostics);

}  // namespace tappet
