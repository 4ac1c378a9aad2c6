#include "tappet/contact/contact_id.hpp"

#include "tappet/base/value_stream.hpp"

namespace tappet {

void fields(FieldVisitor& v, ContactId& id) {
  v.field("entry", id.entry);
  v.field("first", id.first);
  v.field("second", id.second);
  v.field("place", id.place);
}

}  // namespace tappet
