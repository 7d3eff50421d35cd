#include "view/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "core/error.h"
#include "view/plain_client.h"

namespace grouser::internal {
namespace {

/// Sends large messages as fast as they are taken.
class Flood final : public Listener {
 public:
  explicit Flood(std::atomic<int>& asked) : asked_(asked) {}
  void receive(std::string_view) override {}
  bool next(Message& message) override {
    ++asked_;
    message.bytes.assign(1 << 20, 'x');
    return true;
  }

 private:
  std::atomic<int>& asked_;
};

/// Sends back what it was sent.
class Echo final : public Listener {
 public:
  void receive(std::string_view message) override { last_ = message; }
  bool next(Message& message) override {
    if (last_.empty()) return false;
    message = {.bytes = std::exchange(last_, ""), .binary = false};
    return true;
  }

 private:
  std::string last_;
};

Reply answer(const Target& target) {
  if (target.path == "/api/broken")
    throw Error(ErrorKind::input, {.message = "the file is damaged"});
  return {.type = "text/plain", .body = "answer to " + target.path};
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() : server_({.answer = answer, .listen = [] { return std::make_unique<Echo>(); }}) {}

  std::string host() const { return "127.0.0.1:" + std::to_string(server_.port()); }
  std::string own_origin() const { return "http://" + host(); }
  std::string live() const { return "/api/live?token=" + server_.token(); }
  int status(const std::string& target, const std::string& headers = "") const {
    return status_of(server_.port(), target, host(), headers);
  }
  /// A connected socket.
  std::unique_ptr<PlainClient> socket(const Server& server) const {
    auto client = std::make_unique<PlainClient>(server.port());
    const std::string there = "127.0.0.1:" + std::to_string(server.port());
    client->send("GET /api/live?token=" + server.token() + " HTTP/1.1\r\nHost: " + there + "\r\n" +
                 upgrade("http://" + there) + "\r\n");
    EXPECT_TRUE(client->receive_head().starts_with("HTTP/1.1 101"));
    return client;
  }

  Server server_;
};

TEST_F(ServerTest, AnswersWhoKnowsTheToken) {
  PlainClient client(server_.port());
  client.send("GET /api/x?token=" + server_.token() + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
  const std::string head = client.receive_head();
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200")) << head;
  EXPECT_NE(head.find("X-Content-Type-Options: nosniff"), std::string::npos);
  EXPECT_EQ(client.receive(16), "answer to /api/x");
}

TEST_F(ServerTest, RefusesWhoDoesNot) {
  EXPECT_EQ(status("/api/x"), 403);
  EXPECT_EQ(status("/api/x?token="), 403);
  EXPECT_EQ(status("/api/x?token=" + std::string(32, '0')), 403);
  EXPECT_EQ(status("/api/x?token=" + server_.token() + "0"), 403);
  EXPECT_EQ(status("/api/live", upgrade(own_origin())), 403);
}

TEST_F(ServerTest, RefusesOtherHostsAndOrigins) {
  const std::string target = "/api/x?token=" + server_.token();
  EXPECT_EQ(status_of(server_.port(), target, "evil.org"), 403);
  EXPECT_EQ(status_of(server_.port(), "/", "evil.org:" + std::to_string(server_.port())), 403);
  EXPECT_EQ(status(target, "Origin: http://evil.org\r\n"), 403);
  EXPECT_EQ(status(target, "Origin: null\r\n"), 403);
  EXPECT_EQ(status(target, "Origin: " + own_origin() + "\r\n"), 200);
  EXPECT_EQ(status(live(), upgrade("http://evil.org")), 403);
  EXPECT_EQ(status(live(), upgrade("null")), 403);
  EXPECT_EQ(status(live(), upgrade("")), 403);
}

TEST_F(ServerTest, RefusesPathsOutOfPlace) {
  const std::string token = "?token=" + server_.token();
  EXPECT_EQ(status("/../../etc/passwd"), 400);
  EXPECT_EQ(status("/%2e%2e/%2e%2e/etc/passwd"), 400);
  EXPECT_EQ(status("/api/../x" + token), 400);
  EXPECT_EQ(status("/etc/passwd"), 404);
}

TEST_F(ServerTest, ErrorsBecomeReplies) {
  EXPECT_EQ(status("/api/broken?token=" + server_.token()), 500);
}

TEST_F(ServerTest, OnlyReads) {
  PlainClient client(server_.port());
  client.send("DELETE /api/x?token=" + server_.token() + " HTTP/1.1\r\nHost: " + host() +
              "\r\n\r\n");
  EXPECT_TRUE(client.receive_head().starts_with("HTTP/1.1 405"));
}

TEST_F(ServerTest, ListensOnTheLoopbackInterfaceAlone) {
  EXPECT_TRUE(PlainClient(server_.port()).is_connected());
  // All of 127/8 leads to this machine; a server that listened on every address would answer there.
  EXPECT_FALSE(PlainClient(server_.port(), "127.0.0.2").is_connected());
}

TEST_F(ServerTest, ATakenPortIsAnError) {
  EXPECT_THROW(Server({.port = server_.port(), .answer = answer, .listen = {}}), Error);
}

TEST_F(ServerTest, SocketsPassMessages) {
  const auto client = socket(server_);
  client->send_frame("hello");
  EXPECT_EQ(client->receive_frame(), "hello");
  EXPECT_EQ(server_.listeners(), 1);
}

TEST_F(ServerTest, MessagesThatAreTooLongEndTheConnection) {
  const auto client = socket(server_);
  client->send_frame(std::string(Server::kMostMessage + 1, 'a'));
  EXPECT_TRUE(client->is_closed_by_server());
}

TEST_F(ServerTest, RandomBytesEndConnectionsAndNothingElse) {
  std::minstd_rand random(7);
  for (int k = 0; k < 60; ++k) {
    std::string bytes;
    for (int i = 0; i < 200; ++i) bytes += static_cast<char>(random() >> 8);
    if (k % 2 == 0) {
      PlainClient(server_.port()).send(bytes);
    } else {
      socket(server_)->send(bytes);
    }
  }
  EXPECT_EQ(status("/api/x?token=" + server_.token()), 200);
}

TEST_F(ServerTest, PagesThatVanishAreForgotten) {
  const auto wait_until_at_most = [this](int pages) {
    for (int k = 0; k < 1000 && server_.listeners() > pages; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  };
  for (int k = 0; k < 100; ++k) {
    socket(server_);
    wait_until_at_most(20);
  }
  wait_until_at_most(0);
  EXPECT_EQ(server_.listeners(), 0);
}

TEST_F(ServerTest, APageThatNeverReadsHoldsNothingUp) {
  std::atomic<int> asked = 0;
  Server flood({.answer = answer, .listen = [&] { return std::make_unique<Flood>(asked); }});
  const auto sleeper = socket(flood);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const int before = asked;
  for (int k = 0; k < 1000; ++k) flood.wake();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // What the system's buffers take and no more: the rest was never asked for.
  EXPECT_EQ(asked, before);
  EXPECT_LT(before, 20);
  const std::string there = "127.0.0.1:" + std::to_string(flood.port());
  EXPECT_EQ(status_of(flood.port(), "/api/x?token=" + flood.token(), there), 200);
}

}  // namespace
}  // namespace grouser::internal
