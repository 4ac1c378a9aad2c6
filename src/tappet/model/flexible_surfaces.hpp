// What of flexible bodies touches: shapes on their interfaces, BODY.INTERFACE.SHAPE, and nodes of their meshes, BODY.GROUP.
//
// A node that a contact names becomes a frame that its body carries, as interfaces are, without rotation, and on it a ball without
// radius: so contacts of the displaced surface are those of any two surfaces, in every method. Where the group is named first and a
// ball of a rigid body after it, the ball touches the faces between the nodes (multibody/flexible_faces.hpp).
#pragma once

#include "tappet/spec/spec.hpp"

namespace tappet {

struct FlexibleBody;
struct Materials;
struct Model;

/// Frames of the nodes that contacts of the model name, behind the interfaces of this body.
void add_surface_nodes(const Spec& spec, FlexibleBody& body, Diagnostics& diagnostics);

/// Frames at which balls face flexible bodies, behind the nodes; when all rigid bodies have their surfaces.
void add_face_frames(const Spec& spec, Model& model);

/// Surfaces of all flexible bodies, whose frames have their numbers.
void compile_flexible_surfaces(const Spec& spec, Model& model, Diagnostics& diagnostics);

/// A contact of a ball with faces. False: it is none.
bool compile_face_contact(const Object& contact, const Materials& materials, Model& model,
                          Diagnostics& diagnostics);

}  // namespace tappet
