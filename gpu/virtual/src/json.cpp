// SPDX-License-Identifier: MIT
// Profiles as JSON: the fields of each structure are listed once, for reading and writing.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "vgpu/profile.hpp"

namespace vgpu {

NLOHMANN_JSON_SERIALIZE_ENUM(Space, {{Space::kGlobal, "global"}, {Space::kShared, "shared"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Access, {{Access::kLoad, "load"},
                                      {Access::kStore, "store"},
                                      {Access::kAtomic, "atomic"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Limiter, {{Limiter::kThreads, "threads"},
                                       {Limiter::kBlocks, "blocks"},
                                       {Limiter::kRegisters, "registers"},
                                       {Limiter::kShared, "shared memory"},
                                       {Limiter::kGrid, "grid"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Geometry, machine, lanes, multiprocessors, max_threads,
                                   max_blocks, registers, registers_granularity, shared_bytes,
                                   shared_bytes_reserved, shared_granularity, l1_bytes,
                                   l1_holds_shared, l2_bytes, l2_partitions, banks, sector_bytes,
                                   line_bytes, dram_fetch_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Occupancy, blocks, limiter, share)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Site, file, line, space, access, requests, lanes, bytes, sectors,
                                   lines, wavefronts, ideal_wavefronts, held)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Arithmetic, add, multiply, fma, divide, special, convert, packed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MatrixWork, instructions, flops)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineWork, file, line, warp_steps, lanes, flops)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launch, kernel, grid, block, shared_bytes, registers_per_thread,
                                   registers_are_assumed, occupancy, waves, blocks_run,
                                   sample_error, sites, lines, arithmetic, matrix, barriers,
                                   l1_load_sectors, l1_load_hits, l2_read_sectors, l2_read_hits,
                                   l2_write_sectors, l2_write_parts, l2_atomic_sectors,
                                   atomics_of_a_line, dram_bytes_read, dram_bytes_written,
                                   l2_dirty_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, geometry, launches)

namespace {

constexpr const char* kSchema = "vgpu.profile";
constexpr int kVersion = 3;

/// Parses `text` as a T; an error says in one sentence what is wrong with it.
template <class T, class Read>
T read_json(const std::string& text, const char* what, Read read) {
  try {
    return read(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("this is not a ") + what +
                             " of the virtual GPU: " + error.what());
  }
}

}  // namespace

std::string to_json(const Profile& profile) {
  nlohmann::json json = profile;
  json["schema"] = kSchema;
  json["version"] = kVersion;
  return json.dump(1) + "\n";
}

Profile profile_from_json(const std::string& text) {
  return read_json<Profile>(text, "profile", [](const nlohmann::json& json) {
    if (json.at("schema") != kSchema || json.at("version") != kVersion) {
      throw std::runtime_error("this is a profile of another version of the virtual GPU");
    }
    return json.get<Profile>();
  });
}

std::string to_json(const Geometry& geometry) {
  return nlohmann::json(geometry).dump(1) + "\n";
}

Geometry geometry_from_json(const std::string& text) {
  return read_json<Geometry>(text, "geometry",
                             [](const nlohmann::json& json) { return json.get<Geometry>(); });
}

}  // namespace vgpu
