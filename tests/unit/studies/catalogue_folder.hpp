// A folder with a catalogue, somebody-2001.yaml, for one test.
#pragma once

#include <string>

#include "support/folder_test.hpp"
#include "tappet/studies/catalogue.hpp"

namespace tappet {

class CatalogueFolder : public FolderTest {
 protected:
  /// `figures`: the entries below `figures:`.
  Catalogue load(const std::string& figures) const {
    write("somebody-2001.yaml",
          "catalogue: 1\ntitle: Flight\nauthors: Somebody\npublished: somewhere\nfigures:\n" + figures);
    return load_catalogue(path("somebody-2001.yaml"));
  }
};

}  // namespace tappet
