#include "core/disk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using DiskTest = TemporaryFolderTest;

TEST_F(DiskTest, AtomicFileAppearsWhenComplete) {
  const fs::path path = folder_ / "a.txt";
  std::ofstream(path) << "old";
  {
    AtomicFile file(path);
    file.write("ne");
    file.write("w");
    EXPECT_EQ(text_of(path), "old");
    file.commit();
  }
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(DiskTest, AtomicFilesOfTheSameNameDoNotMix) {
  const fs::path path = folder_ / "a.txt";
  AtomicFile first(path);
  AtomicFile second(path);
  first.write("first");
  second.write("the second");
  first.commit();
  EXPECT_EQ(text_of(path), "first");
  second.commit();
  EXPECT_EQ(text_of(path), "the second");
}

TEST_F(DiskTest, AtomicFileIgnoresWhatAKilledProcessLeftBehind) {
  const fs::path path = folder_ / "a.txt";
  for (int i = 0; i < 20; ++i) {  // names that this process would take next
    std::ofstream(path.string() + fmt::format(".{}-{}.tmp", getpid(), i)) << "half";
  }
  AtomicFile file(path);
  file.write("whole");
  file.commit();
  EXPECT_EQ(text_of(path), "whole");
}

TEST_F(DiskTest, AtomicFileWithoutCommitLeavesNothing) {
  { AtomicFile(folder_ / "a.txt").write("half"); }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(DiskTest, FailuresNameFileAndReason) {
  try {
    AtomicFile file(folder_ / "no" / "a.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("a.txt: cannot create: No such file or directory"));
  }
}

TEST_F(DiskTest, WriteBytesGivesTheErrno) {
  const std::string text = "text";
  const auto bytes = std::as_bytes(std::span(text));
  const int full = open("/dev/full", O_WRONLY);
  EXPECT_EQ(write_bytes(full, bytes, 0), ENOSPC);
  close(full);
  EXPECT_EQ(write_bytes(-1, bytes, 0), EBADF);
  const int file = open((folder_ / "a").c_str(), O_RDWR | O_CREAT, 0666);
  EXPECT_EQ(write_bytes(file, bytes, 2), 0);
  EXPECT_EQ(resize_file(file, 5), 0);
  close(file);
  EXPECT_EQ(text_of(folder_ / "a"), std::string("\0\0tex", 5));
}

}  // namespace
}  // namespace grouser::internal
