// Files that follow from a result or a model: tables, pages, pictures. Written beside under a name of their own, they take theirs when they
// are whole and on the disk. Nobody's file is lost for one: only an older one of the same kind, known by its beginning, is replaced.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tappet {

enum class OutputKind {
  result,   ///< copied: what runs write is ResultWriter's
  table,    ///< comma-separated text
  page,     ///< HTML
  picture,  ///< SVG, PNG, PDF
  vtk,
  fmu,
  matrices,  ///< .mat, .npz
  model      ///< a model file that was imported
};

/// Throws InputError unless `path` can be written as such: a new file, or an older one of this kind, and none of `inputs`, which are read
/// for it. To be asked before the work, not after.
void check_output(const std::string& path, OutputKind kind, const std::vector<std::string>& inputs = {});

class OutputFile {
 public:
  /// As check_output(), and opens it. Failures are an InputError with a sentence, here and below.
  OutputFile(const std::string& path, OutputKind kind, const std::vector<std::string>& inputs = {});
  /// Without commit() nothing is left.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::FILE* stream() { return stream_; }
  void write(std::string_view text);
  /// Whole and on the disk when this returns.
  void commit();

 private:
  [[noreturn]] void fail();

  std::string path_, target_, unfinished_;
  std::FILE* stream_ = nullptr;
};

/// All of it at once.
void write_output(const std::string& path, OutputKind kind, std::string_view text,
                  const std::vector<std::string>& inputs = {});

/// An archive of arrays with the comment by which check_output() knows it for ours.
std::string marked_archive(const std::string& bytes);
/// An imported model with a first line by which check_output() knows that nobody has changed it since.
std::string marked_model(const std::string& from, const std::string& text);
/// A picture with the mark by which check_output() knows it for ours.
std::string marked_picture(const std::string& bytes);

/// The file that a name leads to: links that the user made are followed, also to where nothing is yet.
std::string file_behind(const std::string& path);
/// A new file with a name of its own beside `path`, opened for reading and writing: descriptor and name. −1 with errno if that cannot be.
int create_beside(const std::string& path, std::string& name);
/// Gives a file its name, in place of what had it where `replace`, and makes that last. False with errno: EEXIST, if another took it.
bool take_name(const std::string& from, const std::string& to, bool replace);

}  // namespace tappet
