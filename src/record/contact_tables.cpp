#include "record/contact_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace grouser::internal {

bool has_contact_tables(const World& world) {
  return std::ranges::any_of(world.contacts,
                             [](const auto& system) { return !system->tables().empty(); });
}

ContactTables::ContactTables(const World& world, const std::filesystem::path& folder)
    : world_(world) {
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    const std::vector<ContactTable> tables = world.contacts[s]->tables();
    for (std::size_t t = 0; t < tables.size(); ++t) {
      std::string header = "time [s]";
      for (const std::string& column : tables[t].columns) header += "," + column;
      tables_.push_back({.system = s,
                         .number = t,
                         .columns = tables[t].columns.size(),
                         .file = std::make_unique<AtomicFile>(folder / (tables[t].name + ".csv")),
                         .text = header + "\n"});
    }
  }
}

void ContactTables::on_sample(const Sample& sample) {
  for (Table& table : tables_) {
    cells_.clear();
    world_.contacts[table.system]->sample_table(table.number, *sample.contact_details[table.system],
                                                cells_);
    const auto out = std::back_inserter(table.text);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i % table.columns == 0) fmt::format_to(out, "{}", sample.time);
      std::visit([&](const auto& cell) { fmt::format_to(out, ",{}", cell); }, cells_[i]);
      if ((i + 1) % table.columns == 0) table.text += '\n';
    }
    table.file->write(table.text);
    table.text.clear();
  }
}

void ContactTables::close() {
  for (Table& table : tables_) {
    table.file->write(table.text);
    table.file->commit();
  }
}

}  // namespace grouser::internal
