// A small web server for one person: loopback only, short requests, one answer a connection.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>

namespace tappet::app {

struct HttpRequest {
  std::string method, path, body;
  bool own = false;  ///< carries the header X-Tappet, which no other site's page can send
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

  /// Answers what came within the next `wait`. Requests to another host name than this server's are refused:
  /// a page from elsewhere must not reach it by a name of its own.
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
  HttpResponse answer(const std::string& head, const std::string& body,
                      const std::function<HttpResponse(const HttpRequest&)>& handler) const;

  int listener_ = -1, port_ = 0;
  std::list<Connection> connections_;
};

}  // namespace tappet::app
