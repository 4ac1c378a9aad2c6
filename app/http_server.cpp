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
#include <string_view>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

namespace tappet::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_head = 16 * 1024, most_body = 1024 * 1024, most_connections = 64;
/// For a whole request to come, and for some of an answer to be taken.
constexpr auto patience_for_request = std::chrono::seconds(5), patience_for_reader = std::chrono::seconds(20);

/// 128 bits that nobody can guess, in hexadecimal digits.
std::string secret() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    refuse("view", fmt::format("no secret can be made: {}", std::strerror(errno)));
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

/// Takes as long wherever they differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differ == 0;
}

/// The value of a parameter behind the path's question mark; "".
std::string parameter(std::string_view path, std::string_view name) {
  std::size_t at = path.find('?');
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(path.find('&', at + 1), path.size());
    const std::string_view one = path.substr(at + 1, end - at - 1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return std::string(one.substr(name.size() + 1));
    at = end < path.size() ? end : std::string_view::npos;
  }
  return "";
}

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
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
             "Content-Security-Policy: frame-ancestors 'none'\r\nCross-Origin-Resource-Policy: "
             "same-origin\r\n\r\n",
             response.status, words, response.type, response.body.size()) +
         response.body;
}

}  // namespace

HttpServer::HttpServer(int port) : token_(secret()) {
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
    bool alive = Clock::now() - at->since < (at->out.empty() ? patience_for_request : patience_for_reader);
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
    // Who only holds a connection does not shut others out: the one that has waited longest goes.
    if (connections_.size() >= most_connections) {
      const auto oldest = std::min_element(
          connections_.begin(), connections_.end(), [](const Connection& a, const Connection& b) {
            return std::pair(!a.out.empty(), a.since) < std::pair(!b.out.empty(), b.since);
          });
      ::close(oldest->descriptor);
      connections_.erase(oldest);
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
  HttpRequest request{
      .method = line.substr(0, first), .path = line.substr(first + 1, second - first - 1), .body = body};
  // One answer for whatever is wrong, which tells nothing.
  if (!is_own(head) || !(same_secret(parameter(request.path, "token"), token_) ||
                         same_secret(header(head, "x-tappet").value_or(""), token_)))
    return {.status = 403, .body = "only for who has the address that `tappet view` printed"};
  request.path = request.path.substr(0, request.path.find('?'));
  return handler(request);
}

/// Asked for by this machine's name, which a foreign page that has a name lead here cannot do, and by no page but our own.
bool HttpServer::is_own(const std::string& head) const {
  const std::string names[] = {fmt::format("127.0.0.1:{}", port_), fmt::format("localhost:{}", port_)};
  const auto is_ours = [&](const std::string& host) { return host == names[0] || host == names[1]; };
  if (!is_ours(header(head, "host").value_or(""))) return false;
  if (const auto origin = header(head, "origin"))
    if (!origin->starts_with("http://") || !is_ours(origin->substr(7))) return false;
  const std::string site = header(head, "sec-fetch-site").value_or("none");
  return site == "none" || site == "same-origin";
}

}  // namespace tappet::app
