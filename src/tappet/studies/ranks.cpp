#include "tappet/studies/ranks.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

namespace tappet {

namespace {

/// Of the first of these variables that is set: Open MPI's, then those of MPICH and of SLURM's own launcher.
int number_from(std::initializer_list<const char*> variables, int otherwise) {
  for (const char* variable : variables)
    if (const char* text = std::getenv(variable)) return std::atoi(text);
  return otherwise;
}

}  // namespace

int launched_rank() {
  return number_from({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
}

Ranks* open_ranks() {
  if (number_from({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1) <= 1) return nullptr;
  // The plug-in lies where this library does.
  Dl_info here{};
  dladdr(reinterpret_cast<void*>(&open_ranks), &here);
  const auto file =
      std::filesystem::path(here.dli_fname ? here.dli_fname : "").parent_path() / "libtappet_mpi.so";
  void* plugin = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!plugin)
    refuse(file.string(),
           fmt::format("cannot be opened ({}): mpirun needs a Tappet that was built where MPI is installed "
                       "(package libopenmpi-dev); without mpirun the threads of this machine are used",
                       dlerror()));
  const auto open = reinterpret_cast<OpenRanks>(dlsym(plugin, open_ranks_symbol));
  if (!open) refuse(file.string(), "is not Tappet's plug-in for MPI");
  return open();
}

}  // namespace tappet
