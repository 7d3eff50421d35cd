#include "view/server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <set>
#include <thread>
#include <utility>

#include "core/error.h"
#include "view/page.h"

namespace grouser::internal {
namespace serving {  // named, because Server::Impl holds some of it

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using HttpRequest = http::request<http::empty_body>;

constexpr std::chrono::seconds kIdle{60};      // a connection without requests
constexpr std::size_t kMostHeader = 8 * 1024;  // bytes
constexpr const char* kLivePath = "/api/live";

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

/// The page alone may run scripts and be asked for data, and no other page may hold it in a frame.
constexpr const char* kPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; "
    "media-src 'self' blob:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; frame-ancestors "
    "'none'; "
    "base-uri 'none'; form-action 'none'";

class Socket;

/// What all connections share; used by the server's thread, but for the counter.
struct Shared {
  Server::Options options;
  std::string token;
  unsigned short port = 0;
  std::atomic<int> listeners = 0;
  int connections = 0;
  std::set<Socket*> sockets;
};

/// Why a request is refused, or nothing.
std::optional<Reply> refusal(const Shared& shared, const HttpRequest& request,
                             const std::optional<Target>& target) {
  const auto refused = [](int status, const char* why) {
    return Reply{.status = status, .type = "text/plain; charset=utf-8", .body = why};
  };
  if (!is_own_host(view_of(request[http::field::host]), shared.port)) {
    return refused(403, "another host name leads here\n");
  }
  const auto origin = request.find(http::field::origin);
  if (origin != request.end() && !is_own_origin(view_of(origin->value()), shared.port)) {
    return refused(403, "pages of other sites are not answered\n");
  }
  if (!target) return refused(400, "this is no address of the viewer\n");
  if (!target->path.starts_with("/api/")) return std::nullopt;
  const auto token = target->query.find("token");
  if (token == target->query.end() || !same_secret(token->second, shared.token)) {
    return refused(403,
                   "the token is missing or wrong: use the address that the program printed\n");
  }
  return std::nullopt;
}

Reply reply_to(const Shared& shared, const HttpRequest& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return {.status = 405, .type = "text/plain", .body = "only GET\n"};
  }
  const auto target = parse_target(view_of(request.target()));
  if (auto refused = refusal(shared, request, target)) return *std::move(refused);
  if (!target->path.starts_with("/api/")) {
    if (auto file = page_file(target->path)) return *std::move(file);
    return {.status = 404, .type = "text/plain", .body = "there is no such page\n"};
  }
  try {
    return shared.options.answer(*target);
  } catch (const Error& error) {
    return {.status = error.kind() == ErrorKind::usage ? 404 : 500,
            .type = "text/plain; charset=utf-8",
            .body = error.what()};
  } catch (const std::exception& problem) {
    return {.status = 500, .type = "text/plain; charset=utf-8", .body = problem.what()};
  }
}

/// A live page. Reads all the time, writes one message at a time.
class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(beast::tcp_stream stream, Shared& shared, std::unique_ptr<Listener> listener)
      : stream_(std::move(stream)), shared_(shared), listener_(std::move(listener)) {
    shared_.sockets.insert(this);
    ++shared_.listeners;
  }
  ~Socket() {
    shared_.sockets.erase(this);
    --shared_.listeners;
    --shared_.connections;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void accept(HttpRequest request) {
    beast::get_lowest_layer(stream_).expires_never();
    // Pings find out who is gone without a word.
    websocket::stream_base::timeout timeout =
        websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.idle_timeout = std::chrono::seconds(60);
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(Server::kMostMessage);
    request_ = std::move(request);
    stream_.async_accept(request_, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      self->is_open_ = true;
      self->read();
      self->write();
    });
  }

  /// Sends what there is, unless a message is still on its way.
  void write() {
    if (!is_open_ || is_writing_ || !listener_->next(message_)) return;
    is_writing_ = true;
    stream_.binary(message_.binary);
    stream_.async_write(asio::buffer(message_.bytes),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          self->is_writing_ = false;
                          if (error) return;
                          self->write();
                        });
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) {
        self->is_open_ = false;
        return;
      }
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      self->listener_->receive(text);
      self->write();
      self->read();
    });
  }

  websocket::stream<beast::tcp_stream> stream_;
  Shared& shared_;
  std::unique_ptr<Listener> listener_;
  HttpRequest request_;
  beast::flat_buffer buffer_;
  Message message_;
  bool is_open_ = false, is_writing_ = false;
};

/// A connection of requests and replies, until it becomes a Socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) {}
  ~Connection() {
    if (!was_handed_on_) --shared_.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(0);
    stream_.expires_after(kIdle);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    HttpRequest request = parser_->release();
    if (websocket::is_upgrade(request)) {
      if (const auto refused = refused_socket(request)) return send(request, *refused);
      auto listener = shared_.options.listen();
      was_handed_on_ = true;
      std::make_shared<Socket>(std::move(stream_), shared_, std::move(listener))
          ->accept(std::move(request));
      return;
    }
    send(request, reply_to(shared_, request));
  }

  std::optional<Reply> refused_socket(const HttpRequest& request) const {
    const auto target = parse_target(view_of(request.target()));
    if (auto refused = refusal(shared_, request, target)) return refused;
    // Browsers always say where a socket comes from.
    if (request.find(http::field::origin) == request.end()) {
      return Reply{
          .status = 403, .type = "text/plain", .body = "sockets are for the viewer's own page\n"};
    }
    if (target->path == kLivePath && shared_.options.listen) return std::nullopt;
    return Reply{.status = 404, .type = "text/plain", .body = "there is no such socket\n"};
  }

  void send(const HttpRequest& request, Reply reply) {
    auto& response = response_.emplace(static_cast<http::status>(reply.status), request.version());
    response.set(http::field::content_type, reply.type);
    response.set(http::field::cache_control, "no-store");
    response.set("Referrer-Policy", "no-referrer");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Content-Security-Policy", kPolicy);
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    if (reply.gzipped) response.set(http::field::content_encoding, "gzip");
    response.keep_alive(request.keep_alive());
    const std::size_t size = reply.body.size();
    if (request.method() != http::verb::head) response.body() = std::move(reply.body);
    response.content_length(size);
    stream_.expires_after(kIdle);
    http::async_write(stream_, response,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error) return;
                        if (self->response_->keep_alive()) return self->read();
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  bool was_handed_on_ = false;
};

}  // namespace serving

using namespace serving;

struct Server::Impl {
  Shared shared;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  std::atomic<bool> is_awake = false;
  std::thread thread;

  explicit Impl(Options options) {
    shared.options = std::move(options);
    shared.token = random_token();
    beast::error_code error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), shared.options.port);
    acceptor.open(here.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(here, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      throw Error(ErrorKind::io, {.message = "the viewer cannot listen: " + error.message(),
                                  .field = "--port",
                                  .value = std::to_string(shared.options.port)});
    }
    shared.port = acceptor.local_endpoint().port();
    accept();
    thread = std::thread([this] { context.run(); });
  }

  ~Impl() {
    context.stop();
    thread.join();
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!error && shared.connections < kMostConnections) {
        ++shared.connections;
        socket.set_option(tcp::no_delay(true), error);
        std::make_shared<Connection>(std::move(socket), shared)->read();
      }
      accept();
    });
  }
};

Server::Server(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Server::~Server() = default;

unsigned short Server::port() const { return impl_->shared.port; }
const std::string& Server::token() const { return impl_->shared.token; }
int Server::listeners() const { return impl_->shared.listeners; }

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/#token={}", port(), token());
}

void Server::wake() {
  if (impl_->is_awake.exchange(true)) return;
  asio::post(impl_->context, [impl = impl_.get()] {
    impl->is_awake = false;
    for (Socket* socket : impl->shared.sockets) socket->write();
  });
}

}  // namespace grouser::internal
