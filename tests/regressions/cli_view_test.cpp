// tappet view against somebody else with an account on this machine, who can connect but has not seen the address that it printed; and
// against requests that nobody's browser makes. The page itself is tested in a browser (viewer/test).
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"

namespace tappet::test::cli_view_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Socket {
 public:
  explicit Socket(int port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    connected_ = ::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool send(const std::string& bytes) const {
    return connected_ && ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0;
  }
  /// All that comes until the other end closes, or until nothing comes for so long.
  std::string answer(int milliseconds = 20'000) const {
    std::string out;
    char buffer[65536];
    for (pollfd one{descriptor_, POLLIN, 0}; ::poll(&one, 1, milliseconds) > 0;) {
      const ssize_t got = ::recv(descriptor_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      out.append(buffer, static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  int descriptor_;
  bool connected_ = false;
};

class CliViewTest : public ProgramTest {
 protected:
  void SetUp() override {
    fs::create_directory(path("model"));
    write("secret.csv", "top,secret\n1,2\n");
    write("model/cart.yaml",
          "tappet: 1\nbodies: {cart: {mass: 2}}\nforces: {engine: {type: force, body: cart, force: [1, 0]}}\n"
          "simulation: {duration: 1}\n");
  }
  void TearDown() override {
    if (server_ > 0) ::kill(server_, SIGKILL), ::waitpid(server_, nullptr, 0);
  }

  /// False where the program was built without its viewer.
  bool serve(const std::string& file) {
    server_ = start({"view", file});
    for (int tenths = 0; tenths < 600; ++tenths) {
      const std::string said = text(".out");
      const std::size_t at = said.find("127.0.0.1:"), token = said.find("?token=");
      if (token != std::string::npos && said.find(' ', token) != std::string::npos) {
        port_ = std::stoi(said.substr(at + 10));
        token_ = said.substr(token + 7, 32);
        return true;
      }
      int status = 0;
      if (::waitpid(server_, &status, WNOHANG) == server_) {
        server_ = 0;
        EXPECT_THAT(text(".err"), HasSubstr("without its viewer"));
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ADD_FAILURE() << "the server does not begin";
    return false;
  }

  std::string request(const std::string& line, const std::string& headers,
                      const std::string& body = "") const {
    return line + " HTTP/1.1\r\n" + headers +
           (body.empty() ? "" : fmt::format("Content-Length: {}\r\n", body.size())) + "\r\n" + body;
  }
  std::string ask(const std::string& line, const std::string& headers, const std::string& body = "") const {
    const Socket socket(port_);
    socket.send(request(line, headers, body));
    return socket.answer();
  }
  std::string host() const { return fmt::format("Host: 127.0.0.1:{}\r\n", port_); }
  std::string own() const { return host() + "X-Tappet: " + token_ + "\r\n"; }
  void expect_alive() const { EXPECT_THAT(ask("GET /api/state", own()), StartsWith("HTTP/1.1 200")); }

  pid_t server_ = 0;
  int port_ = 0;
  std::string token_;
};

TEST_F(CliViewTest, NobodyIsLetIn) {
  if (!serve("model/cart.yaml")) GTEST_SKIP() << "built without the viewer";
  expect_alive();
  std::string almost = token_;
  almost.back() = almost.back() == '0' ? '1' : '0';
  const std::vector<std::pair<std::string, std::string>> strangers = {
      {"GET /", host()},
      {"GET /api/data", host()},
      {"GET /?token=", host()},
      {"GET /?token=" + almost, host()},
      {"GET /?token=" + token_.substr(0, 31), host()},
      {"GET /?token=" + token_ + "0", host()},
      {"GET /api/data?xtoken=" + token_, host()},
      {"GET /api/data", host() + "X-Tappet: " + almost + "\r\n"},
      {"GET /api/data", host() + "X-Tappet:\r\n"},
      {"GET /api/data", host() + "Cookie: token=" + token_ + "\r\n"},
      {"GET /api/data", "X-Tappet: " + token_ + "\r\n"},
      {"GET /api/data", "Host: evil.example\r\nX-Tappet: " + token_ + "\r\n"},
      {"GET /api/data", fmt::format("Host: 127.0.0.1:{}.evil.example\r\nX-Tappet: {}\r\n", port_, token_)},
      {"GET /api/data", fmt::format("Host: evil.example@127.0.0.1:{}\r\nX-Tappet: {}\r\n", port_, token_)},
      {"GET http://evil.example/api/data", "Host: evil.example\r\nX-Tappet: " + token_ + "\r\n"},
      {"GET /api/data", own() + "Origin: null\r\n"},
      {"GET /api/data", own() + "Origin: https://127.0.0.1\r\n"},
      {"GET /api/data", own() + fmt::format("Origin: http://127.0.0.1:{}.evil.example\r\n", port_)},
      {"GET /api/data", own() + "Sec-Fetch-Site: same-site\r\n"}};
  for (const auto& [line, headers] : strangers) {
    const std::string answer = ask(line, headers);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 403")) << line << "\n" << headers;
    EXPECT_THAT(answer, Not(HasSubstr("cart"))) << line;
  }
  expect_alive();
}

TEST_F(CliViewTest, NoFileIsHandedOut) {
  if (!serve("model/cart.yaml")) GTEST_SKIP() << "built without the viewer";
  for (const std::string path :
       {"/../../../../etc/passwd", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fsecret.csv",
        "/secret.csv", "/model/cart.yaml", "/api/../secret.csv", "/api/data/../../secret.csv",
        "file:///etc/passwd", "/api/run"}) {
    const std::string answer = ask("GET " + path, own());
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 404")) << path;
    EXPECT_THAT(answer, Not(HasSubstr("root:"))) << path;
  }
  // Nor by a setting: numbers of the model alone are taken.
  for (const std::string setting :
       {"tables.a={file: ../secret.csv}", "bodies.cart.mass={file: ../secret.csv}",
        "bodies.cart.mass=1 kg}\\ntables: {", "bodies.cart.mass=1\\ntitle: x", "bodies.cart.mass=nan",
        "simulation.duration=1 s; x", "title=1", "=1", "1"}) {
    const std::string answer = ask("POST /api/run", own(), "{\"settings\": [\"" + setting + "\"]}");
    EXPECT_THAT(answer, ::testing::AnyOf(StartsWith("HTTP/1.1 400"), StartsWith("HTTP/1.1 409"))) << setting;
    EXPECT_THAT(answer, Not(HasSubstr("secret"))) << setting;
  }
  expect_alive();
}

// A link in the model's folder, and a description that includes what lies outside.
TEST_F(CliViewTest, FilesOutsideTheModelsFolderAreNotRead) {
  write("secret.xml",
        "<mujoco><worldbody><body name='secret_body'><joint/><geom size='1'/></body></worldbody></mujoco>");
  fs::create_symlink("../secret.xml", path("model/link.xml"));
  for (const char* file : {"../secret.xml", "link.xml"}) {
    write("model/robot.xml", fmt::format("<mujoco><worldbody/><include file='{}'/></mujoco>", file));
    const Outcome outcome = run({"view", "model/robot.xml"});
    if (outcome.err.find("without its viewer") != std::string::npos)
      GTEST_SKIP() << "built without the viewer";
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("lies outside"), Not(HasSubstr("secret_body"))));
  }
}

// Requests in pieces, of wrong lengths, without an end; connections by the hundred: somebody who has the secret is answered meanwhile.
TEST_F(CliViewTest, OthersDoNotStandInTheWay) {
  if (!serve("model/cart.yaml")) GTEST_SKIP() << "built without the viewer";
  for (const std::string& nonsense :
       {std::string(), std::string("\r\n\r\n"), std::string("GET"), std::string("\0\0\0\0\r\n\r\n", 8),
        request("GET /", own() + "Content-Length: -1\r\n"),
        request("GET /", own() + "Content-Length: 99999999999999999999\r\n"),
        request("POST /api/run", own() + "Content-Length: 1e3\r\n"),
        request("POST /api/run", own(), std::string(2 << 20, '[')),
        request("POST /api/run", own(), std::string(500'000, '[')),
        request("POST /api/run", own(), "{\"settings\": 1}"),
        request("POST /api/run", own(), "{\"settings\": [[[]]]}"),
        "GET / HTTP/1.1\r\n" + std::string(100'000, 'a')}) {
    const Socket socket(port_);
    socket.send(nonsense);
    const std::string answer = socket.answer(100);
    EXPECT_THAT(answer, Not(StartsWith("HTTP/1.1 200"))) << nonsense.substr(0, 100);
  }
  expect_alive();
  // Three hundred that are held, of which some send a byte now and then.
  std::vector<std::unique_ptr<Socket>> held;
  for (int i = 0; i < 300; ++i) {
    held.push_back(std::make_unique<Socket>(port_));
    held.back()->send(i % 2 ? "GET /api/st" : request("GET /api/data", own()).substr(0, 40));
  }
  for (int i = 0; i < 5; ++i) {
    for (const auto& socket : held) socket->send("a");
    expect_alive();
  }
}

}  // namespace
}  // namespace tappet::test::cli_view_test
