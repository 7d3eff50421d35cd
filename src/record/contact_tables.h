#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/disk.h"
#include "sim/simulate.h"

namespace grouser::internal {

/// Whether a contact system of the world has tables.
bool has_contact_tables(const World& world);

/// Writes the tables of all contact systems, NAME.csv each: rows per sample, their time first. The files appear when they
/// are closed; without close() nothing remains.
class ContactTables : public Observer {
 public:
  /// The world must outlive this.
  ContactTables(const World& world, const std::filesystem::path& folder);

  void on_sample(const Sample& sample) override;
  void close();

 private:
  struct Table {
    std::size_t system = 0, number = 0;  // in the World; of its tables
    std::size_t columns = 0;
    std::unique_ptr<AtomicFile> file;
    std::string text;  // not yet handed on
  };

  const World& world_;
  std::vector<Table> tables_;
  std::vector<TableCell> cells_;
};

}  // namespace grouser::internal
