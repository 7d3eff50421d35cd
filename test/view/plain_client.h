#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace grouser::internal {

/// A connection to a server on this machine that sends whatever it is told to.
class PlainClient {
 public:
  explicit PlainClient(unsigned short port, const char* address = "127.0.0.1") {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    inet_pton(AF_INET, address, &to.sin_addr);
    is_connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~PlainClient() { ::close(socket_); }
  PlainClient(const PlainClient&) = delete;
  PlainClient& operator=(const PlainClient&) = delete;

  bool is_connected() const { return is_connected_; }
  void send(const std::string& bytes) {
    EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  /// Bytes that come next; fewer if the server closes or says nothing for long.
  std::string receive(std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) {
      std::string part(count - bytes.size(), '\0');
      const ssize_t got = ::recv(socket_, part.data(), part.size(), 0);
      if (got <= 0) break;
      bytes.append(part, 0, static_cast<std::size_t>(got));
    }
    return bytes;
  }
  /// Up to and with the empty line behind the head of a reply.
  std::string receive_head() {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
      const std::string byte = receive(1);
      if (byte.empty()) break;
      head += byte;
    }
    return head;
  }
  /// True if the server ends the connection, with or without a word.
  bool is_closed_by_server() {
    char byte = 0;
    while (true) {
      const ssize_t got = ::recv(socket_, &byte, 1, 0);
      if (got == 0) return true;
      if (got < 0) return errno == ECONNRESET;
    }
  }

  /// A frame of a web socket, masked by zeros.
  void send_frame(const std::string& text, int opcode = 1) {
    std::string frame(1, static_cast<char>(0x80 | opcode));
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(text.size() >> 8);
      frame += static_cast<char>(text.size() & 255);
    }
    send(frame + std::string(4, '\0') + text);
  }
  /// The content of the next frame.
  std::string receive_frame() {
    const std::string head = receive(2);
    if (head.size() < 2) return "";
    std::uint64_t size = static_cast<unsigned char>(head[1]) & 127;
    const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (more > 0) size = 0;
    for (const char byte : receive(more)) size = size << 8 | static_cast<unsigned char>(byte);
    return receive(size);
  }

 private:
  int socket_ = -1;
  bool is_connected_ = false;
};

/// Status of the reply to a request with these headers; 0 if there is none.
inline int status_of(unsigned short port, const std::string& target, const std::string& host,
                     const std::string& headers = "") {
  PlainClient client(port);
  client.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "\r\n");
  const std::string head = client.receive_head();
  return head.size() > 12 ? std::stoi(head.substr(9, 3)) : 0;
}

inline std::string upgrade(const std::string& origin) {
  return "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         (origin.empty() ? "" : "Origin: " + origin + "\r\n");
}

}  // namespace grouser::internal
