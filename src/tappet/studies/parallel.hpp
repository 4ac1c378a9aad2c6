// The same work for many numbers, in threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tappet {

/// Calls `work(i)` for each i below `count`, in `threads` threads (0: one for each core). The first exception
/// ends it and comes back to the caller.
template <class Work>
void in_parallel(std::size_t count, std::size_t threads, Work work) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<std::thread> all;
  for (std::size_t k = 0; k < std::min(threads, count); ++k)
    all.emplace_back([&] {
      try {
        for (std::size_t i; (i = next.fetch_add(1)) < count;) work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    });
  for (std::thread& thread : all) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tappet
