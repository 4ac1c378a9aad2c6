// Structures of the model and what touches them: the part of compile() that knows finite elements.
#pragma once

#include "tappet/contact/material_pairs.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {

struct Kinematics;
struct Model;

/// Bodies with the key `structure`.
void compile_structures(const Spec& spec, Model& model, Diagnostics& diagnostics);

/// One entry of `contacts`, if a structure takes part in it; false: none does.
bool compile_structure_contact(const Object& contact, const Materials& materials, Model& model,
                               Diagnostics& diagnostics);

/// One entry of `forces`, if it names a structure; false: it does not. `start`: frames as written in the file.
bool compile_structure_force(const Object& force, const Kinematics& start, Model& model,
                             Diagnostics& diagnostics);

/// How often whole structures are recorded; called when the settings are known.
void compile_fields(const Spec& spec, Model& model, Diagnostics& diagnostics);

}  // namespace tappet
