// Flexible bodies of the model: the part of compile() that fills them.
#pragma once

#include "tappet/spec/spec.hpp"

namespace tappet {

struct Mechanism;
struct Model;

/// One body with the key `flexible`, which stands last among the mechanism's bodies. Its elastic coordinates at the start are
/// appended to `q` and their rates to `u`.
void compile_flexible(const Object& body, const Spec& spec, Model& model, std::vector<double>& q,
                      std::vector<double>& u, Diagnostics& diagnostics);

/// Whatever acts on a flexible body acts on an interface of it; an error at `pos`, where bodies are named, if it does not.
void check_frames(const std::vector<int>& frames, const std::string& what, const SourcePos& pos,
                  const Mechanism& mechanism, Diagnostics& diagnostics);

/// What models with flexible bodies cannot do, once everything else is known.
void refuse_for_flexible(const Spec& spec, const Model& model, Diagnostics& diagnostics);

}  // namespace tappet
