// The figures of a published document, as data: which runs make each of them, what is drawn, and what the
// document says about it as conditions on the runs' numbers. docs/reproduce.md describes the file.
//
//   catalogue: 1
//   title: Influence of the contact-impact force model
//   figures:
//     2:
//       title: Impact under Hertz' law
//       model: ../single_impact/spheres.yaml
//       set: ["joints.wall.clearance.normal={law: hertz}"]
//       plots: {loop: {x: wall.penetration, y: [wall.normal]}}
//       numbers: {realised: first(impacts.restitution)}
//       claims: {elastic: {says: nothing is lost, holds: abs(realised - 1) < 1e-6}}
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/base/vectors.hpp"
#include "tappet/spec/value.hpp"
#include "tappet/studies/law_curve.hpp"
#include "tappet/studies/metric.hpp"

namespace tappet {

/// One run of a figure: a model with settings, or a law's own curve.
struct FigureRun {
  std::string name;        ///< as claims call it
  std::string label;       ///< as the legend has it
  std::string model_file;  ///< as found from here; "" for a curve
  std::shared_ptr<const Value> model;
  std::vector<std::string> settings;
  std::optional<LawCurve> curve;
  bool perturbed = false;  ///< by the figure's ensemble
  std::string group = {};  ///< the variant of a study to which it belongs; "": none
};

/// Runs of one model that differ in their start by next to nothing: where the motion is chaotic, a number of one of them is luck.
struct FigureEnsemble {
  int members = 1;  ///< the run itself included
  std::vector<std::string>
      settings;  ///< of a member, ${n} standing for its number: 0 for the run itself, 1, 2, …
};

struct FigureNumber {
  std::string name, text;
  Window window;
};

struct FigurePlot {
  std::string name, title;
  std::string x;                         ///< "time", or an expression of signals
  std::string x_label = "";              ///< of it, with its unit; "": the expression itself
  std::vector<std::string> y;            ///< expressions of signals; one panel for each
  std::vector<std::string> labels = {};  ///< of them; empty: the expressions themselves
  bool together = false;                 ///< all in one panel
  Window window;
  bool apart = false;             ///< one picture per run; false: the runs are drawn over each other
  double circle = 0;              ///< radius of a circle about the origin that is drawn as well; 0: none
  std::vector<std::string> runs;  ///< names, of runs or of groups; empty: all
  bool equal = false;             ///< a unit is as long on both axes
  bool steps = false;             ///< points at the ends of the integrator's steps, joined by lines
};

/// What stands in space at some instants: bodies by their shapes, structures by their deformed meshes.
struct FigurePicture {
  std::string name, title;
  std::string run;           ///< "": the first
  std::vector<double> at;    ///< s; a picture each
  Vec3 from = Vec3::Zero();  ///< where the viewer stands, seen from the scene
  double scale = 1;          ///< of deformations: displacements less a rigid motion
};

struct FigureClaim {
  std::string name;
  std::string says;          ///< what the document says, in our words
  std::string holds;         ///< the condition; "" if it is not examined
  std::string unchecked;     ///< why it is not
  std::string because = {};  ///< why it does not hold here, from the document; "": it holds, or nobody knows
};

/// A figure, or a table: what the document says of its numbers is judged likewise.
struct CatalogueFigure {
  std::string number;  ///< "3", "table 2"
  bool table = false;
  std::string title;
  std::string missing;  ///< why it is not made: a drawing, or something the program cannot do; "": it is made
  std::string note;     ///< what the reader should know about our side
  std::vector<std::string> quick;  ///< settings that make every run short
  bool slow = false;               ///< left out where only quick figures are wanted, if `quick` is empty
  std::string revolution;          ///< an angle among the signals, or a time; "": none
  std::string reference;           ///< the run whose signals the others know as reference.SIGNAL; "": none
  std::vector<FigureRun> runs;
  FigureEnsemble ensemble = {};
  std::vector<FigureNumber> numbers;
  std::vector<FigurePlot> plots;
  std::vector<FigurePicture> pictures;
  std::vector<FigureClaim> claims;

  /// "figure 3", "table 2".
  std::string called() const { return table ? number : "figure " + number; }
};

struct Catalogue {
  std::string name;  ///< the citation, from the file's name: flores-2006
  std::string file, title, authors, published;
  std::vector<CatalogueFigure> figures;
};

/// True if the file's first look is that of a catalogue.
bool is_catalogue(const Value& root);

/// Reads a catalogue with the models and studies that it names; nothing is compiled or run. Throws InputError
/// with all faults found.
Catalogue load_catalogue(const std::string& path);

/// The folder of the catalogues that come with the program.
std::string catalogue_folder();
/// Their citations, sorted.
std::vector<std::string> catalogue_names();

}  // namespace tappet
