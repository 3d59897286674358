// SPDX-License-Identifier: MIT
// Calibrating the predictor with measured rows, and validating it on rows it has not seen.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roofline/llm/components.hpp"
#include "roofline/llm/expectation.hpp"
#include "roofline/llm/measured_rows.hpp"
#include "roofline/llm/predict.hpp"

namespace roofline::llm {

/// Where a parameter's value comes from.
enum class Origin {
  kGiven,     ///< by the caller
  kMeasured,  ///< from kernel rows of the same file (measure_components())
  kFitted,    ///< from the group's own rows
};

const char* to_string(Origin origin);

struct Parameter {
  Origin origin = Origin::kFitted;
  double value = 0;  ///< used when given
};

/// How a group is calibrated. If both were fitted, the efficiency of the weights would absorb what
/// the cost per layer should explain, and vice versa, so it is measured by default.
struct FitChoice {
  Parameter weights{Origin::kMeasured};
  Parameter kv{Origin::kFitted};
  Parameter compute{Origin::kMeasured};
  Parameter per_layer{Origin::kFitted};  ///< seconds
};

struct Calibration {
  std::string group;
  Efficiencies efficiencies;
  double per_layer_seconds = 0;
  std::optional<AllReduce> all_reduce;
  std::vector<std::string> remarks;  ///< where each value comes from, one sentence each
};

/// A row that the predictor can be applied to.
struct Observation {
  MeasuredRow row;
  Model model;
  Formats formats;
  System system;    ///< uncalibrated: all efficiencies 1, no overheads, collectives cost nothing
  Request request;  ///< for rows about tokens
  bool prefill = false;
  bool whole_batch = false;  ///< prompt and output of a batch that starts and ends together
  double context = 0;        ///< at which a token was measured
  double seconds = 0;        ///< measured
};

/// A row that it cannot be applied to, and why.
struct LeftOut {
  std::string id;
  std::string reason;
};

struct Observations {
  std::vector<Observation> usable;
  std::vector<LeftOut> left_out;  ///< only rows about inference, no kernel rows
};

/// Where the predictor finds the models and machines named in rows.
struct Library {
  const Names& names;
  const std::filesystem::path& model_folder;
  Machines& machines;
};

/// Turns rows of the kinds serving_decode, e2e_decode, e2e_prefill and e2e_throughput into
/// observations, with the formats of choose_formats(). A throughput under full load (batch "max
/// ...") assumes as many sequences as fit; one with a stated batch counts prompt and output.
Observations observe(const std::vector<MeasuredRow>& rows, const Library& library);

/// Rows of the same kind, engine and hardware share a calibration; if they are too few to fit and
/// to validate, all rows of the kind and engine share one.
std::string group_of(const Observation& observation);
std::string engine_group(const Observation& observation);

/// Fits the free parameters of one group: least squares of the logarithm of predicted over
/// measured, so that half and twice weigh the same, with outliers weighted down (Huber). The
/// calibration is named `group`. Throws std::invalid_argument if there are no rows, or if a
/// measured parameter is requested that the file does not contain.
Calibration calibrate(const std::vector<Observation>& rows, const Components& components,
                      const FitChoice& choice, const std::string& group = {});

/// The predicted time of an observation; without calibration, the bare roofline bound.
double predict_seconds(const Observation& observation, const Calibration* calibration);

struct RowError {
  Observation observation;
  double uncalibrated_seconds = 0;
  std::optional<double> left_out_seconds;  ///< with a calibration that has not seen this row
  std::optional<double> expected_seconds;  ///< without any calibration (expectation.hpp)

  double uncalibrated_error() const { return uncalibrated_seconds / observation.seconds - 1; }
  double expected_error() const { return expected_seconds.value() / observation.seconds - 1; }
  double left_out_error() const { return left_out_seconds.value() / observation.seconds - 1; }
};

struct GroupValidation {
  std::string group;
  std::vector<RowError> rows;
  std::optional<Calibration> calibration;  ///< the reported one; empty if there is none
  std::string remark;                      ///< how rows were predicted, or why they were not
  double uncalibrated_mape = 0;            ///< mean of |error|
  std::optional<double> left_out_mape;
  std::optional<double> expected_mape;
  /// Mean of |error| with the calibration of another group of the kind, by its name.
  std::vector<std::pair<std::string, double>> by_others;
};

struct Validation {
  std::vector<GroupValidation> groups;
  std::vector<LeftOut> left_out;
};

/// True if a row is about a single kernel or an all-reduce, and so can measure an efficiency.
bool is_kernel_row(const MeasuredRow& row);

/// Validates every group by leaving its rows out one at a time; measured parameters come from
/// kernel_rows, which are never left out. Groups with fewer than two rows more than fitted
/// parameters are not calibrated; the reported calibration uses all rows.
Validation validate(const std::vector<MeasuredRow>& rows,
                    const std::vector<MeasuredRow>& kernel_rows, const Library& library,
                    const FitChoice& choice);

/// Adds the times expected without calibration. Rows of engines that the data does not know stay
/// without.
void add_expectations(Validation& validation, const ExpectationData& data);

/// The expected time of an observation for an engine, without calibration.
double expected_seconds(const Observation& observation, const Engine& engine,
                        const ExpectationData& data);

/// Every group with the calibration of the same name, which was made from other rows.
Validation validate_with(const std::vector<Calibration>& calibrations,
                         const std::vector<MeasuredRow>& rows, const Library& library);

/// Calibrates every group that has at least as many rows as fitted parameters and that can be
/// fitted; validate() says why others cannot.
std::vector<Calibration> calibrate_groups(const std::vector<MeasuredRow>& rows,
                                          const std::vector<MeasuredRow>& kernel_rows,
                                          const Library& library, const FitChoice& choice);

/// Calibrations as JSON, schema "roofline.calibration" version 1, and back.
std::string calibrations_json(const std::vector<Calibration>& calibrations);

/// Throws std::runtime_error naming file and key.
std::vector<Calibration> read_calibrations(const std::filesystem::path& file);

/// The calibration of a group; if the name is empty, the only one in the file. Throws
/// std::runtime_error naming file and key, and listing the groups if the name does not identify
/// one.
Calibration read_calibration(const std::filesystem::path& file, const std::string& group);

}  // namespace roofline::llm
