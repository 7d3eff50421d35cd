#include "record/contact_tables.h"

#include <gtest/gtest.h>

#include <fstream>

#include "record_fixture.h"

namespace grouser::internal {
namespace {

using ContactTablesTest = RecordTest;

/// Tells two rows of each instant.
class Talker final : public ContactSystem {
 public:
  std::string_view name() const override { return "talker"; }
  std::vector<ContactElementInfo> elements() const override { return {}; }
  std::unique_ptr<ContactScratch> make_scratch() const override {
    return std::make_unique<ContactScratch>();
  }
  void evaluate(const ContactInput&, const ContactMemory&, Purpose, ContactScratch&,
                std::span<Wrench>) const override {}
  Vec3 force_on(int, const ContactMemory&, const ContactScratch&) const override {
    return Vec3::Zero();
  }
  void sample(const ContactInput&, const ContactMemory&, const ContactScratch&,
              std::vector<ContactReading>&) const override {}
  std::vector<ContactPiece> pieces() const override { return {}; }
  std::vector<ContactTable> tables() const override {
    return {{.name = "words", .columns = {"word", "count", "length [m]"}}};
  }
  void sample_table(std::size_t, const ContactScratch&,
                    std::vector<TableCell>& out) const override {
    out.insert(out.end(), {"one", 1, 0.1, "two", 2, 1e-9});
  }
};

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(ContactTablesTest, RowsPerSampleWithTheirTimeFirst) {
  World world = small_world();
  EXPECT_FALSE(has_contact_tables(world));
  world.contacts = {std::make_shared<const Talker>()};
  EXPECT_TRUE(has_contact_tables(world));
  std::vector<std::unique_ptr<ContactScratch>> scratch;
  scratch.push_back(world.contacts[0]->make_scratch());
  {
    ContactTables tables(world, folder_);
    for (const int row : {0, 25}) {
      Sample sample = test_sample(world, row);
      sample.contact_details = scratch;
      tables.on_sample(sample);
    }
    tables.close();
  }
  EXPECT_EQ(text_of(folder_ / "words.csv"),
            "time [s],word,count,length [m]\n0,one,1,0.1\n0,two,2,1e-09\n0.5,one,1,0.1\n"
            "0.5,two,2,1e-09\n");
}

TEST_F(ContactTablesTest, LeavesNothingWithoutClose) {
  World world = small_world();
  world.contacts = {std::make_shared<const Talker>()};
  { const ContactTables tables(world, folder_); }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "words.csv"));
}

}  // namespace
}  // namespace grouser::internal
