#include "http_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

namespace tappet::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_head = 16 * 1024, most_body = 1024 * 1024, most_connections = 64;
constexpr auto patience = std::chrono::seconds(20);

/// The value of a header, or none. Names are compared without case.
std::optional<std::string> header(const std::string& head, const std::string& name) {
  for (std::size_t at = head.find("\r\n"); at != std::string::npos; at = head.find("\r\n", at + 2)) {
    const std::size_t begin = at + 2, end = std::min(head.find("\r\n", begin), head.size());
    const std::size_t colon = head.find(':', begin);
    if (colon >= end || colon - begin != name.size()) continue;
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (!std::equal(name.begin(), name.end(), head.begin() + static_cast<long>(begin),
                    [&](char b, char a) { return same(a, b); }))
      continue;
    const std::size_t value = std::min(head.find_first_not_of(" \t", colon + 1), end);
    return head.substr(value, end - value);
  }
  return std::nullopt;
}

std::string encoded(const HttpResponse& response) {
  const char* words = response.status == 200 ? "OK" : response.status == 404 ? "Not Found" : "Refused";
  return fmt::format(
             "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n",
             response.status, words, response.type, response.body.size()) +
         response.body;
}

}  // namespace

HttpServer::HttpServer(int port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, raw, size) < 0 || ::listen(listener_, 64) < 0 ||
      ::getsockname(listener_, raw, &size) < 0) {
    const int reason = errno;
    if (listener_ >= 0) ::close(listener_);
    refuse("view", fmt::format("port {} of this machine cannot be used: {}", port, std::strerror(reason)));
  }
  port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() {
  for (const Connection& connection : connections_) ::close(connection.descriptor);
  ::close(listener_);
}

void HttpServer::serve(const std::function<HttpResponse(const HttpRequest&)>& handler,
                       std::chrono::milliseconds wait) {
  std::vector<pollfd> polled = {{listener_, POLLIN, 0}};
  for (const Connection& connection : connections_)
    polled.push_back(
        {connection.descriptor, static_cast<short>(connection.out.empty() ? POLLIN : POLLOUT), 0});
  if (::poll(polled.data(), polled.size(), static_cast<int>(wait.count())) < 0) return;

  std::size_t i = 1;
  for (auto at = connections_.begin(); at != connections_.end(); ++i) {
    bool alive = Clock::now() - at->since < patience;
    if (alive && polled[i].revents != 0) alive = at->out.empty() ? read_some(*at, handler) : write_some(*at);
    if (!alive) ::close(at->descriptor);
    at = alive ? std::next(at) : connections_.erase(at);
  }
  if (polled[0].revents & POLLIN) accept_new();
}

void HttpServer::accept_new() {
  for (;;) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return;
    if (connections_.size() >= most_connections) {
      ::close(descriptor);
      continue;
    }
    connections_.push_back({descriptor, {}, {}, 0, Clock::now()});
  }
}

bool HttpServer::read_some(Connection& connection,
                           const std::function<HttpResponse(const HttpRequest&)>& handler) {
  char buffer[16384];
  const ssize_t got = ::recv(connection.descriptor, buffer, sizeof buffer, 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  connection.in.append(buffer, static_cast<std::size_t>(got));

  const std::size_t end = connection.in.find("\r\n\r\n");
  if (end == std::string::npos) return connection.in.size() <= most_head;
  const std::string head = connection.in.substr(0, end);
  std::size_t length = 0;
  if (const auto text = header(head, "content-length")) {
    const auto [rest, fault] = std::from_chars(text->data(), text->data() + text->size(), length);
    if (fault != std::errc() || rest != text->data() + text->size() || length > most_body) return false;
  }
  if (connection.in.size() < end + 4 + length) return true;
  connection.out = encoded(answer(head, connection.in.substr(end + 4, length), handler));
  connection.since = Clock::now();
  return write_some(connection);
}

bool HttpServer::write_some(Connection& connection) {
  const ssize_t sent = ::send(connection.descriptor, connection.out.data() + connection.sent,
                              connection.out.size() - connection.sent, MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  connection.sent += static_cast<std::size_t>(sent);
  connection.since = Clock::now();
  return connection.sent < connection.out.size();
}

HttpResponse HttpServer::answer(const std::string& head, const std::string& body,
                                const std::function<HttpResponse(const HttpRequest&)>& handler) const {
  const std::string line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    return {.status = 400, .body = "not a request"};
  const std::string host = header(head, "host").value_or("");
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return {.status = 403, .body = "only for this machine"};
  return handler({.method = line.substr(0, first),
                  .path = line.substr(first + 1, second - first - 1),
                  .body = body,
                  .own = header(head, "x-tappet").has_value()});
}

}  // namespace tappet::app
