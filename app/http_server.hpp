// A small web server for one person: loopback only, short requests, one answer per connection. All who have an account on the machine can
// connect to it: it answers who knows its secret, which the printed address carries (docs/threat_model.md).
//
// Not cpp-httplib, which keeps a thread for every connection: a few dozen that are only held would shut others out, and what stands behind
// the handler would have to be safe for threads.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>

namespace tappet::app {

struct HttpRequest {
  std::string method, path, body;  ///< the path without what follows its question mark
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8", body = {};
};

class HttpServer {
 public:
  /// Listens on 127.0.0.1; port 0 takes any that is free. Throws InputError with a sentence if it cannot.
  explicit HttpServer(int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Of this server alone: to be given as the parameter `token` or in the header X-Tappet. A cookie would go to all servers of this machine.
  const std::string& token() const { return token_; }

  /// Answers what came within the next `wait`. Refused are requests without the secret, to another host name than this server's, and from
  /// pages of others.
  void serve(const std::function<HttpResponse(const HttpRequest&)>& handler, std::chrono::milliseconds wait);

 private:
  struct Connection {
    int descriptor;
    std::string in, out;
    std::size_t sent = 0;
    std::chrono::steady_clock::time_point since;
  };
  void accept_new();
  /// False when the connection is done.
  bool read_some(Connection& connection, const std::function<HttpResponse(const HttpRequest&)>& handler);
  bool write_some(Connection& connection);
  bool is_own(const std::string& head) const;
  HttpResponse answer(const std::string& head, const std::string& body,
                      const std::function<HttpResponse(const HttpRequest&)>& handler) const;

  std::string token_;
  int listener_ = -1, port_ = 0;
  std::list<Connection> connections_;
};

}  // namespace tappet::app
