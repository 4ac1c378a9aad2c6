// tappet completion and tappet manual: the program's own commands and options, as shells and man read them.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "tappet/base/version.hpp"

namespace tappet::app::shell_command {
namespace {

/// Every command with its options set up, in the order of --help.
struct Program {
  CLI::App app{"", "tappet"};
  std::vector<CLI::App*> commands;
  std::vector<std::function<int()>> kept;  ///< they hold what options point to

  Program() {
    auto all = Commands::instance().entries();
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
    for (const Command& command : all) {
      CLI::App* options = app.add_subcommand(command.name, command.help);
      kept.push_back(command.set_up(*options));
      add_quiet(*options);
      commands.push_back(options);
    }
  }
};

/// "--set", "-o": as typed.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> out;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional()) out.push_back(option);
  return out;
}

/// Text between single quotes in a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// ---- completion

std::string bash(const Program& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.commands) names.push_back(command->get_name());
  std::string out = fmt::format(
      "# bash completion of tappet {}: source it, or put it into share/bash-completion/completions/tappet\n"
      "_tappet() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} options=\n  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    "
      "return\n  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      version(), fmt::join(names, " "));
  for (const CLI::App* command : program.commands) {
    std::vector<std::string> all;
    for (const CLI::Option* option : options_of(*command))
      for (const std::string& name : names_of(*option)) all.push_back(name);
    out += fmt::format("    {}) options='{}' ;;\n", command->get_name(), fmt::join(all, " "));
  }
  return out +
         "  esac\n  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n  "
         "else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n    compopt -o filenames 2> /dev/null\n  "
         "fi\n}\ncomplete -F _tappet tappet ./tappet\n";
}

/// zsh reads brackets and colons of a description.
std::string for_zsh(std::string text) {
  std::string out;
  for (const char c : text)
    out += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
  return out;
}

std::string zsh(const Program& program) {
  std::string out = fmt::format(
      "#compdef tappet\n# zsh completion of tappet {}: put it into a folder of $fpath as _tappet\n_tappet() "
      "{{\n  local -a commands=(\n",
      version());
  for (const CLI::App* command : program.commands)
    out += fmt::format("    {}\n", quoted(command->get_name() + ":" + for_zsh(command->get_description())));
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n  case $words[2] "
      "in\n";
  for (const CLI::App* command : program.commands) {
    out += fmt::format("    {})\n      _arguments", command->get_name());
    for (const CLI::Option* option : options_of(*command))
      for (const std::string& name : names_of(*option))
        out += fmt::format(" \\\n        {}",
                           quoted(fmt::format("*{}[{}]{}", name, for_zsh(option->get_description()),
                                              option->get_items_expected_max() > 0 ? ":value:_files" : "")));
    out += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_tappet \"$@\"\n";
}

std::string fish(const Program& program) {
  std::string out = fmt::format(
      "# fish completion of tappet {}: put it into ~/.config/fish/completions/tappet.fish\n", version());
  for (const CLI::App* command : program.commands) {
    out += fmt::format("complete -c tappet -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                       quoted(command->get_description()));
    for (const CLI::Option* option : options_of(*command)) {
      std::string names;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      out += fmt::format("complete -c tappet -n '__fish_seen_subcommand_from {}'{}{} -d {}\n",
                         command->get_name(), names, option->get_items_expected_max() > 0 ? " -r" : "",
                         quoted(option->get_description()));
    }
  }
  return out;
}

std::function<int()> set_up_completion(CLI::App& command) {
  struct Options {
    std::string shell;
  };
  auto options = std::make_shared<Options>();
  command.add_option("SHELL", options->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [options] {
    const Program program;
    fmt::print("{}", options->shell == "bash"  ? bash(program)
                     : options->shell == "zsh" ? zsh(program)
                                               : fish(program));
    return Exit::done;
  };
}

// ---- the manual

/// Text as troff prints it.
std::string troff(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  // A line that begins with a dot or a quote would be a request.
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string manual(const Program& program) {
  std::string out = fmt::format(
      ".TH TAPPET 1 \"\" \"tappet {}\" \"User Commands\"\n.SH NAME\ntappet \\- simulates machines whose "
      "parts touch\n.SH SYNOPSIS\n"
      ".B tappet\n.I COMMAND\n[ARGUMENTS] [OPTIONS]\n.SH DESCRIPTION\n"
      "Mechanisms in the plane and in space whose joints may have clearance, walls, piles and legged robots, "
      "elastic structures that\n"
      "bounce and slide, from a model file with units that is checked before anything runs.\n"
      "A model file named \\- is standard input. Numbers take units wherever they stand, as in 300ms.\n.SH "
      "COMMANDS\n",
      version());
  for (const CLI::App* command : program.commands) {
    out += fmt::format(".SS tappet {}", troff(command->get_name()));
    for (const CLI::Option* option : command->get_options())
      if (option->get_positional())
        out += option->get_required() ? fmt::format(" {}", troff(option->get_name(true)))
                                      : fmt::format(" [{}]", troff(option->get_name(true)));
    out += fmt::format("\n{}.\n", troff(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      std::vector<std::string> names;
      for (const std::string& name :
           option->get_positional() ? std::vector{option->get_name(true)} : names_of(*option))
        names.push_back(fmt::format("\\fB{}\\fR", troff(name)));
      const bool takes = !option->get_positional() && option->get_items_expected_max() > 0;
      out += fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                         takes ? fmt::format(" \\fI{}\\fR", troff(option->get_type_name())) : "",
                         troff(option->get_description()));
    }
  }
  return out +
         ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe simulation stopped; what was computed is "
         "kept\n.TP\n2\nbad input or usage\n"
         ".SH SEE ALSO\ntappet keys, tappet laws, tappet methods and tappet schema describe model files.\n";
}

std::function<int()> set_up_manual(CLI::App&) {
  return [] {
    fmt::print("{}", manual(Program{}));
    return Exit::done;
  };
}

const Registration<Command> completion{{.name = "completion",
                                        .help = "print the completion script of a shell",
                                        .place = 92,
                                        .set_up = set_up_completion}};
const Registration<Command> man_page{{.name = "manual",
                                      .help = "print the manual page: tappet manual | man -l -",
                                      .place = 93,
                                      .set_up = set_up_manual}};

}  // namespace
}  // namespace tappet::app::shell_command
