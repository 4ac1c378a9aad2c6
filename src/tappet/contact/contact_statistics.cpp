#include "tappet/contact/contact_statistics.hpp"

#include "tappet/base/value_stream.hpp"

namespace tappet {

void fields(FieldVisitor& v, ContactStatistics& s) {
  v.field("problems", s.problems);
  v.field("iterations", s.iterations);
  v.field("stalled", s.stalled);
  v.field("scaled", s.scaled);
  v.field("plastic", s.plastic);
  v.field("most_contacts", s.most_contacts);
  v.field("worst_residual", s.worst_residual);
  v.field("worst_note", s.worst_note);
}

}  // namespace tappet
