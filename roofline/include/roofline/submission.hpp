// SPDX-License-Identifier: MIT
// A machine file for data/machines, made from a measurement: the measured figures, and room for
// documented ones.
#pragma once

#include <string>
#include <string_view>

#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"

namespace roofline {

/// The id derived from a device's name: "NVIDIA H200 PCIe" -> "nvidia-h200-pcie".
std::string machine_id(std::string_view device_name);

/// The text of a machine file (schema 1) with two parts. Stated: documented figures, taken from
/// `known` if given, otherwise commented out for the contributor to fill in. Measured: the whole
/// report: every roof with spread, sustained rate, power, configuration and reason for refusal,
/// products, bytes in flight, energy, and device, driver, build, command and time. Throws
/// std::invalid_argument for a report that was interrupted.
std::string submission_toml(const Report& report, const std::string& id, const Machine* known);

}  // namespace roofline
