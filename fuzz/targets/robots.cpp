// Descriptions of other programs: Adams' data sets, MJCF, SDF. What is imported is a model that can be written, read again and checked.
// Files that they name are looked for where there are none.
#include <string>

#include "tappet/base/input_file.hpp"
#include "tappet/imports/adams.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/adams/function.hpp"
#include "tappet/imports/importer.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::robot_targets {
namespace {

void run_with(const char* importer, std::string_view input) {
  static const bool alone = [] { return read_only_from({"/no/such/folder"}), true; }();
  static_cast<void>(alone);
  const Importer* const by = ImporterRegistry::instance().find(importer);
  if (!by) throw Contradiction(std::string("there is no importer ") + importer);
  try {
    // The last byte chooses the options.
    const unsigned choice = input.empty() ? 0 : static_cast<unsigned char>(input.back());
    const RobotOptions options{.repair = (choice & 1) != 0,
                               .stops = (choice & 2) != 0,
                               .limits = (choice & 4) != 0,
                               .friction = (choice & 8) != 0,
                               .partial = (choice & 16) != 0};
    const ImportedModel made = by->import(std::string(input), "/no/such/folder/fuzz", options);
    std::string text = to_yaml(made.model);
    Spec spec;
    try {
      spec = spec_from_text(text, "fuzz.yaml");
    } catch (const InputError&) {
      return;  // a name or a number that a model cannot have
    }
    Diagnostics diagnostics;
    compile(spec, diagnostics);
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
}

void run_adm(std::string_view input) {
  run_with("adm", input);
}
void run_mjcf(std::string_view input) {
  run_with("mujoco", input);
}
void run_sdf(std::string_view input) {
  run_with("sdf", input);
}

/// From the tables that the reader uses.
std::vector<std::string> words_of_adams() {
  std::vector<std::string> out = {
      "\n", "\n,", ", ",         " = ", "\\",    "!",   "&\n",     "(",
      ")",  "1D",  "0D, 0D, 0D", "**2", "END\n", "QG=", "REULER=", "!  adams_view_name='a'\n"};
  for (const adams::StatementType& type : Registry<adams::StatementType>::instance().entries()) {
    out.push_back(type.name + "/1\n");
    for (const std::string& argument : type.arguments) out.push_back(", " + argument + "=");
  }
  for (const std::string& name : adams::translated_functions()) out.push_back(name + "(");
  for (const char* measure : {"DX(1,2)", "VX(1,2,1)", "AZ(1,2)", "WZ(1,2)", "DM(1,2)", "VARVAL(1)", "TIME",
                              "AX(1,2)", "PSI(1,2)", "VX(1,2,3,4)", "ACCM(1,2,3)", "DIF(1)", "DIF1(1)",
                              "ARYVAL(1,1)", "SFORCE(1,0,2,1)", "MOTION(1,0,8,1)", "CONTACT(1,0,1,0)", ";"})
    out.emplace_back(measure);
  return out;
}

const Registration<FuzzTarget> adm{{.name = "adm",
                                    .help = "Adams Solver data sets, imported and checked",
                                    .examples = {".adm"},
                                    .run = run_adm,
                                    .words = words_of_adams()}};
const Registration<FuzzTarget> mjcf{{.name = "mjcf",
                                     .help = "robots described in MJCF, imported and checked",
                                     .examples = {},
                                     .run = run_mjcf,
                                     .words = {"<body name=\"b\">",
                                               "</body>",
                                               "<frame pos=\"0 0 1\">",
                                               "</frame>",
                                               "<joint ",
                                               "<freejoint/>",
                                               "type=\"",
                                               "hinge",
                                               "slide",
                                               "ball",
                                               "free",
                                               "<geom ",
                                               "box",
                                               "sphere",
                                               "capsule",
                                               "cylinder",
                                               "ellipsoid",
                                               "plane",
                                               "mesh",
                                               "size=\"",
                                               "fromto=\"0 0 0 0 0 1\"",
                                               "pos=\"",
                                               "quat=\"1 0 0 0\"",
                                               "euler=\"",
                                               "axisangle=\"0 0 1 90\"",
                                               "xyaxes=\"1 0 0 0 1 0\"",
                                               "zaxis=\"0 0 1\"",
                                               "<inertial ",
                                               "mass=\"",
                                               "diaginertia=\"1 1 1\"",
                                               "fullinertia=\"1 1 1 0 0 0\"",
                                               "<default>",
                                               "<default class=\"c\">",
                                               "</default>",
                                               "class=\"c\"",
                                               "childclass=\"c\"",
                                               "<include file=\"x\"/>",
                                               "<equality>",
                                               "</equality>",
                                               "<connect ",
                                               "<weld ",
                                               "<joint joint1=\"j\" joint2=\"k\"/>",
                                               "body1=\"b\"",
                                               "site1=\"s\"",
                                               "<site name=\"s\"/>",
                                               "anchor=\"0 0 0\"",
                                               "polycoef=\"0 1\"",
                                               "<actuator>",
                                               "</actuator>",
                                               "<motor joint=\"j\"/>",
                                               "<position kp=\"1\" ",
                                               "<general gainprm=\"1\" biastype=\"affine\" ",
                                               "<compiler ",
                                               "angle=\"radian\"",
                                               "eulerseq=\"ZYX\"",
                                               "autolimits=\"false\"",
                                               "boundmass=\"1\"",
                                               "inertiafromgeom=\"true\"",
                                               "<asset>",
                                               "<mesh file=\"m.stl\"/>",
                                               "range=\"-1 1\"",
                                               "ref=\"1\"",
                                               "springref=\"1\"",
                                               "armature=\"1\"",
                                               "nan",
                                               "inf",
                                               "1e400",
                                               "-1",
                                               "1e-300"}}};
const Registration<FuzzTarget> sdf{{.name = "sdf",
                                    .help = "robots described in SDF, imported and checked",
                                    .examples = {},
                                    .run = run_sdf,
                                    .words = {"<model name=\"m\">",
                                              "</model>",
                                              "<link name=\"a\">",
                                              "</link>",
                                              "<joint name=\"j\" type=\"revolute\">",
                                              "</joint>",
                                              "<parent>a</parent>",
                                              "<child>b</child>",
                                              "<parent>world</parent>",
                                              "<pose>",
                                              "</pose>",
                                              "relative_to=\"a\"",
                                              "<frame name=\"f\" attached_to=\"a\"/>",
                                              "<axis>",
                                              "<axis2>",
                                              "</axis>",
                                              "<xyz>0 0 1</xyz>",
                                              "expressed_in=\"f\"",
                                              "<limit>",
                                              "<lower>-1</lower>",
                                              "<effort>1</effort>",
                                              "<dynamics>",
                                              "<damping>1</damping>",
                                              "<spring_stiffness>1</spring_stiffness>",
                                              "<mimic joint=\"j\">",
                                              "<multiplier>2</multiplier>",
                                              "<inertial>",
                                              "<mass>1</mass>",
                                              "<inertia>",
                                              "<ixx>1</ixx>",
                                              "<collision name=\"c\">",
                                              "<visual name=\"v\">",
                                              "<geometry>",
                                              "<box><size>1 1 1</size></box>",
                                              "<sphere><radius>1</radius></sphere>",
                                              "<plane/>",
                                              "<mesh><uri>m.stl</uri></mesh>",
                                              "<static>true</static>",
                                              "<include/>",
                                              "::",
                                              "__model__",
                                              "world",
                                              "prismatic",
                                              "ball",
                                              "universal",
                                              "fixed",
                                              "continuous",
                                              "<use_parent_model_frame>1</use_parent_model_frame>",
                                              "rotation_format=\"quat_xyzw\"",
                                              "degrees=\"true\"",
                                              "nan",
                                              "inf",
                                              "1e400"}}};

}  // namespace
}  // namespace tappet::fuzz::robot_targets
