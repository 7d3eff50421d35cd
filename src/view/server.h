#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "view/access.h"

namespace grouser::internal {

/// What a request is answered with.
struct Reply {
  int status = 200;
  std::string type = "application/octet-stream";  ///< MIME type
  std::string body;
  bool gzipped = false;  ///< the body is
};

/// Something to be sent through a socket.
struct Message {
  std::string bytes;
  bool binary = true;
};

/// One page that listens to a live run. Called from the server's thread alone; must not throw.
class Listener {
 public:
  virtual ~Listener() = default;
  /// What the page sent: a text of anybody's making, at most kMostMessage bytes long.
  virtual void receive(std::string_view message) = 0;
  /// Asked when nothing is on its way to the page. False: nothing to send at present.
  virtual bool next(Message& message) = 0;
};

/// Serves the viewer's page, answers and live frames over HTTP and WebSocket on one port of the loopback interface, in
/// a thread of its own. Whoever does not know the token, or comes through another host name or from another site's page,
/// is refused. At most one message is on its way to a page; what a listener would send meanwhile is its own to drop.
class Server {
 public:
  static constexpr std::size_t kMostMessage = 4096;  ///< bytes of a message from a page
  static constexpr int kMostConnections = 64;

  struct Options {
    unsigned short port = 0;  ///< 0: a free one
    /// Answers paths below "/api/". Called from the server's thread; what it throws becomes a reply with its text.
    std::function<Reply(const Target&)> answer;
    /// A new page at "/api/live"; empty: there is nothing live.
    std::function<std::unique_ptr<Listener>()> listen;
  };

  /// Throws Error(io) if the port is taken.
  explicit Server(Options options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  unsigned short port() const;
  const std::string& token() const;
  /// "http://127.0.0.1:PORT/#token=TOKEN". What follows # is never sent, so that it shows in no log.
  std::string address() const;
  /// Listeners may have something to send. Cheap, from any thread.
  void wake();
  /// Live pages that are connected; from any thread.
  int listeners() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grouser::internal
