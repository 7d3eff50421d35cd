// `grouser view` and `grouser report` as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "system/program.h"
#include "view/plain_client.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSceneToView = R"(grouser: 1
name: "pendulum <&>"
duration: 0.2
models:
  - name: bob
    tree:
      bodies:
        - {name: rod, mass: 1, shape: {box: [0.1, 0.1, 1], position: [0, 0, -0.5]},
           joint: {name: hinge, type: revolute, parent: world, axis: [0, 1, 0]}}
)";

class ViewTest : public testing::Test {
 protected:
  ViewTest() {
    const ProgramResult run = run_program({"run", folder_.write("scene.yaml", kSceneToView), "-o",
                                           (folder_ / "run").string(), "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  std::string run() const { return (folder_ / "run").string(); }

  TemporaryFolder folder_;
};

/// `grouser view` on a run, until it goes out of scope.
class RunningView {
 public:
  explicit RunningView(const std::string& run) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    process_ = fork();
    if (process_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      execl(GROUSER_PROGRAM, GROUSER_PROGRAM, "view", run.c_str(), "--no-browser", "--json",
            nullptr);
      _exit(127);
    }
    close(ends[1]);
    std::string line;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    const std::string address = nlohmann::json::parse(line).at("address");
    port_ = static_cast<unsigned short>(std::stoi(address.substr(address.rfind(':') + 1)));
    token_ = address.substr(address.find('=') + 1);
  }
  ~RunningView() {
    kill(process_, SIGINT);
    EXPECT_EQ(wait_for(process_), 0);
  }
  RunningView(const RunningView&) = delete;
  RunningView& operator=(const RunningView&) = delete;

  unsigned short port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// Body of the answer.
  std::string get(const std::string& path) const {
    PlainClient client(port_);
    const char joint = path.find('?') == std::string::npos ? '?' : '&';
    client.send("GET /api/" + path + joint + "token=" + token_ + " HTTP/1.1\r\nHost: " + host() +
                "\r\n\r\n");
    const std::string head = client.receive_head();
    const std::size_t length = head.find("Content-Length: ");
    EXPECT_THAT(head, HasSubstr("200 OK"));
    return client.receive(std::stoul(head.substr(length + 16)));
  }

 private:
  pid_t process_ = 0;
  unsigned short port_ = 0;
  std::string token_;
};

TEST_F(ViewTest, ServesTheRun) {
  const RunningView view(run());
  const auto about = nlohmann::json::parse(view.get("run"));
  EXPECT_EQ(about.at("mode"), "recorded");
  EXPECT_EQ(about.at("scene").at("name"), "pendulum <&>");
  EXPECT_EQ(about.at("bodies").size(), 1u);
  const std::size_t rows = about.at("rows");
  EXPECT_EQ(rows, 11u);  // 50 Hz for 0.2 s
  EXPECT_EQ(view.get("frames").size(), rows * (8 + 4 * 7));
  EXPECT_EQ(view.get("frames?first=9&count=99").size(), 2 * (8 + 4 * 7));
  EXPECT_EQ(view.get("series?path=%2Fenergy%2Fkinetic").size(), rows * 4);
  EXPECT_EQ(status_of(view.port(), "/api/run", view.host()), 403);
  EXPECT_EQ(status_of(view.port(), "/", view.host()), 200);
}

TEST_F(ViewTest, WhatIsNoRunIsRefused) {
  EXPECT_EQ(run_program({"view", (folder_ / "nothing").string(), "--no-browser"}).exit_code, 4);
  const std::string other = folder_.write("run.h5", "no run");
  EXPECT_EQ(run_program({"view", other, "--no-browser"}).exit_code, 2);
  EXPECT_EQ(run_program({"report", other}).exit_code, 2);
}

TEST_F(ViewTest, ReportsAreOneFileThatNeedsNothingElse) {
  const ProgramResult result = run_program({"report", run(), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string file = nlohmann::json::parse(result.out).at("file");
  EXPECT_EQ(file, (folder_ / "run" / "report.html").string());
  const std::string page = read_text(file);
  EXPECT_THAT(page, HasSubstr("<h1>pendulum &lt;&amp;&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("src=\"data:image/png;base64,iVBOR"));
  EXPECT_THAT(page, HasSubstr("state hash"));
  for (const char* outside :
       {"http:", "https:", "file:", "<script", "<link", "<iframe", "url(h", "src=\"/", "href="}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
}

TEST_F(ViewTest, ReportsGoWhereTheyAreTold) {
  const std::string file = (folder_ / "out.html").string();
  EXPECT_EQ(run_program({"report", run(), "-o", file}).exit_code, 0);
  EXPECT_THAT(read_text(file), HasSubstr("</html>"));
  EXPECT_EQ(run_program({"report", run(), "-o", "/nowhere/out.html"}).exit_code, 4);
}

}  // namespace
}  // namespace grouser::internal
