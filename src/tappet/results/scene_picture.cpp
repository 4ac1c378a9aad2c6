#include "tappet/results/scene_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/geometry/shape.hpp"

namespace tappet {
namespace {

constexpr double scene_margin = 14, title_height = 34, caption_height = 26;

/// Axes of the picture in the scene's coordinates.
struct SceneCamera {
  Vec3 right, up, towards;  ///< towards the viewer

  explicit SceneCamera(const Vec3& from) : towards(from.normalized()) {
    right = Vec3::UnitZ().cross(towards).normalized();
    up = towards.cross(right);
  }
  Vec3 see(const Vec3& p) const { return {right.dot(p), up.dot(p), towards.dot(p)}; }
};

/// Something to be drawn, farther pieces first.
struct DrawnPiece {
  bool background;
  double depth;
  std::string svg;
};

std::string hex(const Vec3& colour, double brightness) {
  const auto byte = [&](double part) {
    return static_cast<int>(std::lround(255 * std::clamp(part * brightness, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.x()), byte(colour.y()), byte(colour.z()));
}

std::string escaped_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

Vec3 normal_of(const SceneFace& face) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < face.corners.size(); ++i)
    sum += (face.corners[i - 1] - face.corners[0]).cross(face.corners[i] - face.corners[0]);
  const double size = sum.norm();
  return size > 0 ? Vec3(sum / size) : Vec3(Vec3::UnitZ());
}

/// Where the scene lies in the picture.
struct SceneFrame {
  double scale = 1, left = 0, top = 0;
  double x(const Vec3& seen) const { return scale * seen.x() + left; }
  double y(const Vec3& seen) const { return top - scale * seen.y(); }
};

void add_face(const SceneFace& face, const SceneCamera& camera, const SceneFrame& frame,
              std::vector<DrawnPiece>& pieces) {
  const Vec3 normal = normal_of(face);
  const double facing = normal.dot(camera.towards);
  if (face.outside_only && facing < 0) return;
  const Vec3 light = (camera.towards + 0.9 * Vec3::UnitZ() - 0.4 * camera.right).normalized();
  const double brightness = 0.55 + 0.45 * std::max(0.0, (facing < 0 ? -1 : 1) * normal.dot(light));
  std::string path;
  double depth = 0;
  for (const Vec3& corner : face.corners) {
    const Vec3 seen = camera.see(corner);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(seen), frame.y(seen));
    depth += seen.z() / static_cast<double>(face.corners.size());
  }
  const std::string fill = hex(face.colour, brightness);
  pieces.push_back({face.background, depth,
                    fmt::format("<path d=\"{}Z\" fill=\"{}\" stroke=\"{}\"/>\n", path, fill,
                                hex(face.colour, 0.85 * brightness))});
}

/// Lines of one colour and width are one path: a frame has thousands of them.
std::string lines_svg(const Scene& scene, const SceneCamera& camera, const SceneFrame& frame) {
  std::map<std::string, std::string> paths;
  for (const SceneLine& line : scene.lines) {
    const Vec3 a = camera.see(line.from), b = camera.see(line.to);
    paths[fmt::format("stroke=\"{}\" stroke-width=\"{:g}\"", hex(line.colour, 1), line.width)] +=
        fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", frame.x(a), frame.y(a), frame.x(b), frame.y(b));
  }
  std::string out;
  for (const auto& [style, path] : paths) out += fmt::format("<path d=\"{}\" {}/>\n", path, style);
  return out;
}

std::string colour_bar(const Scene& scene, double width, double y) {
  if (!(scene.most > 0)) return "";
  constexpr int steps = 24;
  constexpr double length = 120;
  const double left = width - scene_margin - length;
  std::string out;
  for (int i = 0; i < steps; ++i)
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"8\" fill=\"{}\" stroke=\"none\"/>\n",
        left + i * length / steps, y - 8, length / steps + 0.5, hex(scale_colour((i + 0.5) / steps), 1));
  return out +
         fmt::format(
             "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" font-size=\"12\">{}: 0 to {:.3g}</text>\n",
             left - 6, y, escaped_text(scene.quantity), scene.most);
}

}  // namespace

Vec3 scale_colour(double part) {
  static const Vec3 anchors[] = {
      {0.27, 0.30, 0.62}, {0.21, 0.49, 0.66}, {0.25, 0.68, 0.56}, {0.62, 0.82, 0.35}, {0.98, 0.87, 0.20}};
  // In so many steps: neighbours of one colour need less room.
  constexpr double steps = 48;
  const double at = std::round(std::clamp(part, 0.0, 1.0) * steps) / steps * 4;
  const int i = std::min(3, static_cast<int>(at));
  return anchors[i] + (at - i) * (anchors[i + 1] - anchors[i]);
}

std::string svg_of(const Scene& scene, int width) {
  const SceneCamera camera(scene.from);
  Bounds seen;
  for (const SceneFace& face : scene.faces)
    for (const Vec3& corner : face.corners) seen.include(camera.see(corner));
  for (const SceneLine& line : scene.lines)
    seen.include(camera.see(line.from)), seen.include(camera.see(line.to));
  if (scene.faces.empty() && scene.lines.empty()) seen.include(Vec3::Zero());
  const Vec3 span = (seen.high - seen.low).cwiseMax(Vec3::Constant(1e-12));
  // As wide as asked for, unless the picture would be more than as high as it is wide.
  const double wide = width - 2 * scene_margin, most_high = 0.9 * wide;
  SceneFrame frame{.scale = std::min(wide / span.x(), most_high / span.y())};
  const double high = frame.scale * span.y();
  frame.left = 0.5 * width - frame.scale * 0.5 * (seen.low.x() + seen.high.x());
  frame.top = title_height + frame.scale * seen.high.y();
  const double height = title_height + high + caption_height;

  std::vector<DrawnPiece> pieces;
  for (const SceneFace& face : scene.faces) add_face(face, camera, frame, pieces);
  std::stable_sort(pieces.begin(), pieces.end(), [](const DrawnPiece& a, const DrawnPiece& b) {
    return a.background != b.background ? a.background : a.depth < b.depth;
  });
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} "
      "{1:.0f}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<g font-family=\"sans-serif\" fill=\"#1c2128\"><text x=\"{2}\" y=\"22\" text-anchor=\"middle\" "
      "font-size=\"15\">{3}</text>\n",
      width, height, width / 2, escaped_text(scene.title));
  out += fmt::format("<text x=\"{:g}\" y=\"{:.0f}\" font-size=\"12\">{}</text>\n{}</g>\n", scene_margin,
                     height - 8, escaped_text(scene.caption), colour_bar(scene, width, height - 8));
  out += "<g stroke-width=\"0.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
  for (const DrawnPiece& piece : pieces) out += piece.svg;
  out += lines_svg(scene, camera, frame);
  return out + "</g>\n</svg>\n";
}

}  // namespace tappet
