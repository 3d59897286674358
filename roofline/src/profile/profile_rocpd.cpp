// SPDX-License-Identifier: MIT
// rocpd, the SQLite database that rocprofv3 writes.
#include <sqlite3.h>

#include <memory>
#include <stdexcept>

#include "profile_formats.hpp"

namespace roofline {
namespace {

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

Database open(const std::filesystem::path& file) {
  sqlite3* raw = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  Database database(raw, sqlite3_close);
  if (status != SQLITE_OK) fail(file, std::string("cannot be opened: ") + sqlite3_errmsg(raw));
  return database;
}

Statement prepare(const Database& database, const std::string& query,
                  const std::filesystem::path& file) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database.get(), query.c_str(), -1, &raw, nullptr) != SQLITE_OK) {
    fail(file,
         std::string("is damaged or not a rocpd database: ") + sqlite3_errmsg(database.get()));
  }
  return Statement(raw, sqlite3_finalize);
}

std::string text(const Statement& row, int column) {
  const unsigned char* value = sqlite3_column_text(row.get(), column);
  return value ? reinterpret_cast<const char*>(value) : "";
}

// The names of tables and views with a given prefix: "rocpd_pmc_event" may be a view, or exist only
// as "rocpd_pmc_event_<uuid>".
std::vector<std::string> names_like(const Database& database, const std::string& prefix,
                                    const std::filesystem::path& file) {
  const Statement rows =
      prepare(database,
              "SELECT name FROM sqlite_master WHERE type IN ('table','view') AND name LIKE '" +
                  prefix + "%' ORDER BY length(name), name",
              file);
  std::vector<std::string> names;
  int status;
  while ((status = sqlite3_step(rows.get())) == SQLITE_ROW) names.push_back(text(rows, 0));
  if (status != SQLITE_DONE)
    fail(file, std::string("is damaged: ") + sqlite3_errmsg(database.get()));
  return names;
}

std::string quoted(const std::string& name) {
  std::string result = "\"";
  for (const char letter : name)
    result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + "\"";
}

// The same columns, from the view counters_collection or from the tables it is made of.
std::string query_for_view() {
  return "SELECT guid || '/' || dispatch_id, agent_id, kernel_name, counter_name, SUM(value), "
         "MIN(start), MAX(end) FROM counters_collection "
         "GROUP BY guid, dispatch_id, agent_id, kernel_name, counter_name "
         "ORDER BY guid, dispatch_id";
}

std::string query_for_tables(const std::string& suffix) {
  const auto table = [&](const char* name) { return quoted(name + suffix); };
  return "SELECT d.guid || '/' || d.dispatch_id, d.agent_id, k.display_name, i.name, SUM(e.value), "
         "d.start, d.\"end\" FROM " +
         table("rocpd_pmc_event") + " e JOIN " + table("rocpd_info_pmc") +
         " i ON e.pmc_id = i.id AND e.guid = i.guid JOIN " + table("rocpd_kernel_dispatch") +
         " d ON e.event_id = d.event_id AND e.guid = d.guid JOIN " +
         table("rocpd_info_kernel_symbol") +
         " k ON d.kernel_id = k.id AND d.guid = k.guid "
         "GROUP BY d.guid, d.dispatch_id, d.agent_id, k.display_name, i.name, d.start, d.\"end\" "
         "ORDER BY d.guid, d.dispatch_id";
}

void read_rows(const Database& database, const std::string& query, std::vector<Dispatch>& all,
               const std::filesystem::path& file) {
  const Statement rows = prepare(database, query, file);
  int status;
  while ((status = sqlite3_step(rows.get())) == SQLITE_ROW) {
    const std::string id = text(rows, 0);
    const std::string agent = text(rows, 1);
    if (all.empty() || all.back().kernel.id != id || all.back().kernel.device != agent) {
      Dispatch& fresh = all.emplace_back();
      fresh.kernel.id = id;
      fresh.kernel.device = agent;
      fresh.kernel.name = text(rows, 2);
    }
    Dispatch& dispatch = all.back();
    if (sqlite3_column_type(rows.get(), 4) == SQLITE_NULL) {
      dispatch.kernel.problem = "the counter " + text(rows, 3) + " has no value";
    } else {
      dispatch.counters[text(rows, 3)] = sqlite3_column_double(rows.get(), 4);
    }
    dispatch.seconds =
        (sqlite3_column_double(rows.get(), 6) - sqlite3_column_double(rows.get(), 5)) * 1e-9;
  }
  if (status == SQLITE_DONE) return;
  if (all.empty()) fail(file, std::string("is damaged: ") + sqlite3_errmsg(database.get()));
  all.back().kernel.problem = "the database is damaged at this dispatch";
}

}  // namespace

Profile read_rocpd(const std::filesystem::path& file, const ImportOptions& options) {
  const Database database = open(file);
  std::vector<Dispatch> dispatches;
  if (!names_like(database, "counters_collection", file).empty()) {
    read_rows(database, query_for_view(), dispatches, file);
  } else {
    const std::vector<std::string> tables = names_like(database, "rocpd_pmc_event", file);
    if (tables.empty()) fail(file, "contains no counters (no table rocpd_pmc_event)");
    const std::string base = "rocpd_pmc_event";
    const bool plain = tables.front() == base;
    for (const std::string& table : tables) {
      read_rows(database, query_for_tables(table.substr(base.size())), dispatches, file);
      if (plain) break;  // views without a suffix cover all parts
    }
  }
  Profile profile{"rocpd", {}, {}};
  for (Dispatch& dispatch : dispatches) {
    count_amd(dispatch.kernel, dispatch.counters, dispatch.seconds, options);
    profile.kernels.push_back(std::move(dispatch.kernel));
  }
  return profile;
}

}  // namespace roofline
