#include "record/cone_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "lab/cone_samples.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::HasSubstr;

class ConeFileTest : public TemporaryFolderTest {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::string error_of(const std::filesystem::path& file) {
    try {
      read_cone_problem(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(ConeFileTest, TextIsReadAndMadeSymmetric) {
  const ConeFile file = read_cone_problem(
      write("one.fc3d", "1 5\n0.5\n-1\n2\n3\n0 0 4\n1 1 4\n2 2 4\n0 1 0.25\n1 0 0.75\n"));
  const ConeProblem& problem = file.problem;
  ASSERT_EQ(problem.blocks.size(), 1u);
  EXPECT_EQ(problem.blocks[0].mu, 0.5);
  EXPECT_EQ(problem.q, (std::vector<double>{-1, 2, 3}));
  EXPECT_EQ(problem.W(0, 1), 0.5);
  EXPECT_EQ(problem.W(1, 0), 0.5);
  EXPECT_EQ(problem.W(2, 2), 4);
  EXPECT_EQ(problem.W(0, 2), 0);
  EXPECT_EQ(file.asymmetry, 0.125);  // 0.5 beside 4
}

TEST_F(ConeFileTest, BadTextIsRefusedWithItsLine) {
  EXPECT_THAT(error_of(write("a.fc3d", "1 1\n0.5\n-1\nx\n3\n0 0 4\n")),
              HasSubstr(":4: 'x' is not"));
  EXPECT_THAT(error_of(write("b.fc3d", "1 1\n0.5\n-1\n2\n3\n0 3 4\n")), HasSubstr(":6: a column"));
  EXPECT_THAT(error_of(write("c.fc3d", "1 2\n0.5\n-1\n2\n3\n0 0 4\n")), HasSubstr("ends where"));
  EXPECT_THAT(error_of(write("d.fc3d", "1 1\n0.5\n-1\n2\n3\n0 0 4\n7\n")), HasSubstr("goes on"));
  EXPECT_THAT(error_of(write("e.fc3d", "900000000 1\n0.5\n")), HasSubstr("out of range"));
  EXPECT_THAT(error_of(write("f.fc3d", "1 1\n-0.5\n-1\n2\n3\n0 0 4\n")), HasSubstr("friction"));
  EXPECT_THAT(error_of(write("g.fc3d", "1 1\n0.5\nnan\n2\n3\n0 0 4\n")), HasSubstr("finite"));
  EXPECT_THAT(error_of(write("h.fc3d", "1 1\n0.5\n1\n2\n3\n0 0 -4\n")), HasSubstr("negative"));
  EXPECT_THAT(error_of(write("i.txt", "1")), HasSubstr(".fc3d, .hdf5"));
  EXPECT_THAT(error_of(path("missing.fc3d")), HasSubstr("cannot be opened"));
}

TEST_F(ConeFileTest, FclibFileComesBackToTheBit) {
  for (const int index : {0, 4}) {  // W dense and sparse
    const ConeProblem written = make_cone_sample(index).problem;
    write_cone_problem(path("p.hdf5"), written);
    const ConeFile file = read_cone_problem(path("p.hdf5"));
    EXPECT_EQ(file.asymmetry, 0);
    EXPECT_EQ(file.problem.q, written.q);
    ASSERT_EQ(file.problem.rows(), written.rows());
    int different = 0;
    for (int i = 0; i < written.rows(); ++i) {
      for (int j = 0; j < written.rows(); ++j) different += file.problem.W(i, j) != written.W(i, j);
    }
    EXPECT_EQ(different, 0);
    EXPECT_EQ(file.problem.blocks.back().mu, written.blocks.back().mu);
  }
}

TEST_F(ConeFileTest, BadFclibFilesAreRefused) {
  EXPECT_THAT(error_of(write("text.hdf5", "no HDF5")), HasSubstr("is not HDF5"));
  EXPECT_THAT(error_of(path("missing.hdf5")), HasSubstr("does not exist"));
  ConeProblem problem = make_cone_sample(1).problem;
  problem.add_bilateral();
  problem.W.set_dense(problem.rows() + 1);
  problem.q.push_back(0);
  EXPECT_THROW(write_cone_problem(path("mixed.hdf5"), problem), Error);
}

}  // namespace
}  // namespace grouser::internal
