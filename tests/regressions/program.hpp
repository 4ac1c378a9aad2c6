// The built program as a user runs it: arguments in, exit status and texts out.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "support/folder_test.hpp"
#include "support/paths.hpp"

extern char** environ;

namespace tappet::test {

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal if it died of one
  std::string out, err;
};

/// Runs the program in a folder of its own, which goes away with the test.
class ProgramTest : public FolderTest {
 protected:
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  /// Starts it and returns its process id.
  pid_t start(std::vector<std::string> arguments) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, ".out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    arguments.insert(arguments.begin(), testing::program());
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    const int failure =
        ::posix_spawn(&child, testing::program().c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("the program cannot be started");
    return child;
  }
  Outcome wait(pid_t child) const {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(".out"), text(".err")};
  }
  Outcome run(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }
};

}  // namespace tappet::test
