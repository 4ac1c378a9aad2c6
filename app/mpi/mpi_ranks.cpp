// Tappet's plug-in for MPI: the ranks of a study as MPI's processes. Opened by tappet/studies/ranks.cpp under
// mpirun.

#include <memory>
#include <mpi.h>

#include "tappet/studies/ranks.hpp"

namespace {

class MpiRanks final : public tappet::Ranks {
 public:
  MpiRanks() {
    // Only one thread talks to MPI; others compute.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::string& bytes) override {
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }

  bool receive(int& from, std::string& bytes) override {
    int arrived = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &arrived, &status);
    if (!arrived) return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    from = status.MPI_SOURCE;
    bytes.resize(static_cast<std::size_t>(size));
    MPI_Recv(bytes.data(), size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace

extern "C" tappet::Ranks* tappet_open_ranks() {
  return new MpiRanks;
}
