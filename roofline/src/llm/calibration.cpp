// SPDX-License-Identifier: MIT
// Fitting the predictor's parameters and validating them.
#include "roofline/llm/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "base/text.hpp"
#include "roofline/llm/least_squares.hpp"

namespace roofline::llm {
namespace {

constexpr double kSpareRows = 2;       // rows beyond the number of fitted parameters
constexpr double kLeastShare = 0.02;   // of the time: below it a parameter is not identifiable
constexpr double kInverseStep = 0.01;  // of 1 / efficiency
constexpr double kLayerStep = 1e-6;    // seconds

/// The four parameters as seen by the fit: inverse efficiencies make times linear.
struct Values {
  double weights = 1;
  double kv = 1;
  double compute = 1;
  double per_layer = 0;
};

struct FreeParameter {
  double Values::*member;
  double lower;
  double step;
};

System calibrated(const Observation& observation, const Values& values,
                  const std::optional<AllReduce>& all_reduce) {
  System system = observation.system;
  system.efficiencies = {1 / values.weights, 1 / values.kv, 1 / values.compute};
  system.overheads.per_layer_seconds = values.per_layer;
  system.all_reduce = all_reduce;
  return system;
}

double seconds_on(const Observation& observation, const System& system) {
  if (observation.prefill) {
    const Pass pass = prefill_pass(observation.request.batch, observation.request.prompt);
    return predict_pass(observation.model, observation.formats, pass, system).seconds();
  }
  if (observation.whole_batch) {
    const RequestTime time =
        predict_request(observation.model, observation.formats, observation.request, system);
    return time.request_seconds / observation.request.output;
  }
  if (observation.request.continuous) {
    return predict_request(observation.model, observation.formats, observation.request, system)
        .time_per_output_token;
  }
  const Pass pass = decode_pass(observation.request.batch, observation.context);
  return predict_pass(observation.model, observation.formats, pass, system).seconds();
}

/// Largest fraction of any row's time that is added by doubling a parameter (or adding its step).
double largest_share(const std::vector<Observation>& group, const Values& start,
                     const FreeParameter& parameter, const std::optional<AllReduce>& collective) {
  double share = 0;
  for (const Observation& observation : group) {
    Values more = start;
    more.*parameter.member += 1;
    share = std::max(share, (seconds_on(observation, calibrated(observation, more, collective)) -
                             seconds_on(observation, calibrated(observation, start, collective))) /
                                observation.seconds);
  }
  return share;
}

std::string percent(double value) {
  return base::formatted("%.1f %%", 100 * value);
}

/// Determines the parameters that are not fitted and says where they come from.
class Preparation {
 public:
  Preparation(const Components& components, Calibration& calibration)
      : components_(components), calibration_(calibration) {}

  void efficiency(const char* what, const Parameter& parameter,
                  const std::optional<Estimate>& measured, double Values::*member,
                  const std::vector<Observation>& group, Values& values,
                  std::vector<FreeParameter>& free) {
    const FreeParameter candidate{member, 1, kInverseStep};
    const bool matters =
        largest_share(group, values, candidate, components_.all_reduce) > kLeastShare;
    if (parameter.origin == Origin::kFitted && matters) {
      free.push_back(candidate);
    } else if (parameter.origin == Origin::kGiven) {
      values.*member = 1 / parameter.value;
      say(what, "given: " + percent(parameter.value));
    } else if (measured) {
      values.*member = 1 / measured->value;
      say(what,
          percent(measured->value) + " from kernel rows " + base::joined(measured->rows) +
              (measured->own_hardware ? "" : " (all hardware: too few rows for this hardware)"));
    } else if (matters) {
      throw std::invalid_argument(std::string("the file has no kernel rows to measure the ") +
                                  what + "; state it, or fit it");
    } else {
      say(what, "left at 100 %: it hardly matters in these rows");
    }
  }

  void collective() {
    calibration_.all_reduce = components_.all_reduce;
    if (!components_.all_reduce) return;
    const std::string text = base::formatted("%.2f us + bytes / %.0f GB/s from rows ",
                                             components_.all_reduce->latency_seconds * 1e6,
                                             components_.all_reduce->bytes_per_second / 1e9);
    say("all-reduce", text + base::joined(components_.all_reduce_rows) +
                          (components_.all_reduce_own_hardware
                               ? ""
                               : " (all hardware: too few rows for this hardware)"));
  }

  void say(const std::string& what, const std::string& how) {
    calibration_.remarks.push_back(what + ": " + how);
  }

 private:
  const Components& components_;
  Calibration& calibration_;
};

void say_fitted(Preparation& preparation, const Values& values,
                const std::vector<FreeParameter>& free) {
  for (const FreeParameter& parameter : free) {
    const double value = values.*parameter.member;
    if (parameter.member == &Values::per_layer) {
      preparation.say("cost per layer", base::formatted("fitted: %.1f us", value * 1e6));
      continue;
    }
    const char* what = parameter.member == &Values::weights ? "weight streaming"
                       : parameter.member == &Values::kv    ? "KV streaming"
                                                            : "computing";
    preparation.say(what, "fitted: " + percent(1 / value) +
                              (value <= parameter.lower ? ", at its upper bound" : ""));
  }
}

/// Rows that share a calibration, and its name.
struct Group {
  std::string name;
  std::vector<Observation> rows;
};

double free_parameters(const FitChoice& choice, bool prefill);
FitChoice choice_for(const FitChoice& choice, bool prefill);

std::vector<Group> grouped(const std::vector<Observation>& observations, const FitChoice& choice) {
  std::map<std::string, double> sizes;
  for (const Observation& observation : observations) ++sizes[group_of(observation)];
  std::vector<Group> groups;
  for (const Observation& observation : observations) {
    const double needed =
        free_parameters(choice_for(choice, observation.prefill), observation.prefill) + kSpareRows;
    const bool enough = sizes.at(group_of(observation)) >= needed;
    const std::string name = enough ? group_of(observation) : engine_group(observation);
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return group.name == name; });
    if (found == groups.end()) found = groups.insert(groups.end(), Group{name, {}});
    found->rows.push_back(observation);
  }
  return groups;
}

/// Rows grouped by the available calibrations, preferring the one for their hardware.
std::vector<Group> grouped_as(const std::vector<Observation>& observations,
                              const std::vector<Calibration>& calibrations) {
  std::vector<Group> groups;
  for (const Observation& observation : observations) {
    const bool own =
        std::any_of(calibrations.begin(), calibrations.end(),
                    [&](const Calibration& one) { return one.group == group_of(observation); });
    const std::string name = own ? group_of(observation) : engine_group(observation);
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return group.name == name; });
    if (found == groups.end()) found = groups.insert(groups.end(), Group{name, {}});
    found->rows.push_back(observation);
  }
  return groups;
}

Components components_of(const std::vector<Observation>& group,
                         const std::vector<MeasuredRow>& kernel_rows, const Library& library) {
  std::set<std::string> hardware;
  for (const Observation& observation : group) hardware.insert(observation.row.hardware);
  return measure_components(kernel_rows, hardware, library.names, library.machines);
}

double free_parameters(const FitChoice& choice, bool prefill) {
  double count = 0;
  const auto fitted = [](const Parameter& p) { return p.origin == Origin::kFitted; };
  count += fitted(choice.weights) + fitted(choice.compute);
  if (!prefill) count += fitted(choice.kv) + fitted(choice.per_layer);
  return count;
}

/// Prefill rows are compute-bound: they determine only the compute efficiency.
FitChoice choice_for(const FitChoice& choice, bool prefill) {
  FitChoice result = choice;
  if (!prefill) return result;
  if (result.compute.origin == Origin::kMeasured) result.compute.origin = Origin::kFitted;
  if (result.per_layer.origin == Origin::kFitted) result.per_layer = {Origin::kGiven, 0};
  return result;
}

void leave_out_each(GroupValidation& result, const std::vector<Observation>& group,
                    const Components& components, const FitChoice& choice) {
  double sum = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    std::vector<Observation> others = group;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Calibration calibration = calibrate(others, components, choice);
    result.rows[i].left_out_seconds = predict_seconds(group[i], &calibration);
    sum += std::abs(result.rows[i].left_out_error());
  }
  result.left_out_mape = sum / static_cast<double>(group.size());
}

GroupValidation uncalibrated_group(const Group& group) {
  GroupValidation result;
  result.group = group.name;
  for (const Observation& observation : group.rows) {
    result.rows.push_back({observation, predict_seconds(observation, nullptr), {}, {}});
    result.uncalibrated_mape +=
        std::abs(result.rows.back().uncalibrated_error()) / static_cast<double>(group.rows.size());
  }
  return result;
}

/// A calibration that predicts its own group worse than no calibration must not be trusted.
void warn_where_worse(GroupValidation& result) {
  if (!result.left_out_mape || *result.left_out_mape <= result.uncalibrated_mape) return;
  result.remark += "; WARNING: worse than the bound alone, do not use this calibration";
}

GroupValidation validate_group(const Group& named, const Components& components,
                               const FitChoice& asked) {
  const std::vector<Observation>& group = named.rows;
  GroupValidation result = uncalibrated_group(named);
  const bool prefill = group.front().prefill;
  const FitChoice choice = choice_for(asked, prefill);
  if (static_cast<double>(group.size()) < free_parameters(choice, prefill) + kSpareRows) {
    result.remark = "not calibrated: too few rows to fit and to check";
    return result;
  }
  try {
    result.calibration = calibrate(group, components, choice, named.name);
    leave_out_each(result, group, components, choice);
    result.remark = "each row predicted by a calibration that has not seen it";
    warn_where_worse(result);
  } catch (const std::invalid_argument& error) {
    result = uncalibrated_group(named);
    result.remark = std::string("not calibrated: ") + error.what();
  }
  return result;
}

GroupValidation validate_group_with(const std::vector<Calibration>& calibrations,
                                    const Group& named) {
  const std::vector<Observation>& group = named.rows;
  GroupValidation result = uncalibrated_group(named);
  const auto found =
      std::find_if(calibrations.begin(), calibrations.end(),
                   [&](const Calibration& one) { return one.group == result.group; });
  if (found == calibrations.end()) {
    result.remark = "there is no calibration of this name";
    return result;
  }
  result.calibration = *found;
  result.remark = "predicted by a calibration from other rows";
  double sum = 0;
  for (RowError& row : result.rows) {
    if (row.observation.system.ranks > 1 && !found->all_reduce) {
      result.remark = "the calibration has no all-reduce cost, which rows with several GPUs need";
      result.rows = uncalibrated_group(named).rows;
      return result;
    }
    row.left_out_seconds = predict_seconds(row.observation, &*found);
    sum += std::abs(row.left_out_error());
  }
  result.left_out_mape = sum / static_cast<double>(group.size());
  warn_where_worse(result);
  return result;
}

/// How well each calibration predicts the rows of other groups of the same kind.
void cross_validate(Validation& validation) {
  for (GroupValidation& group : validation.groups) {
    for (const GroupValidation& other : validation.groups) {
      const bool same_kind =
          group.rows.front().observation.row.kind == other.rows.front().observation.row.kind;
      if (&group == &other || !same_kind || !other.calibration) continue;
      double sum = 0;
      bool usable = true;
      for (const RowError& row : group.rows) {
        usable = usable && (row.observation.system.ranks == 1 || other.calibration->all_reduce);
        if (!usable) break;
        sum += std::abs(
            predict_seconds(row.observation, &*other.calibration) / row.observation.seconds - 1);
      }
      if (usable) {
        group.by_others.emplace_back(other.group, sum / static_cast<double>(group.rows.size()));
      }
    }
  }
}

}  // namespace

const char* to_string(Origin origin) {
  switch (origin) {
    case Origin::kGiven:
      return "given";
    case Origin::kMeasured:
      return "measured";
    case Origin::kFitted:
      return "fitted";
  }
  throw std::invalid_argument("not a value of roofline::llm::Origin");
}

double predict_seconds(const Observation& observation, const Calibration* calibration) {
  if (calibration) {
    const Values values{1 / calibration->efficiencies.weights, 1 / calibration->efficiencies.kv,
                        1 / calibration->efficiencies.compute, calibration->per_layer_seconds};
    return seconds_on(observation, calibrated(observation, values, calibration->all_reduce));
  }
  // The bound alone has no latency; a collective over an infinitely fast network costs nothing.
  const AllReduce nothing{0, std::numeric_limits<double>::max()};
  return seconds_on(observation, calibrated(observation, {}, nothing));
}

Calibration calibrate(const std::vector<Observation>& group, const Components& components,
                      const FitChoice& choice, const std::string& name) {
  if (group.empty()) throw std::invalid_argument("no rows to calibrate with");
  Calibration calibration;
  calibration.group = name.empty() ? group_of(group.front()) : name;
  Values values;
  std::vector<FreeParameter> free;
  Preparation preparation(components, calibration);
  preparation.collective();
  preparation.efficiency("weight streaming", choice.weights, components.weights, &Values::weights,
                         group, values, free);
  preparation.efficiency("computing", choice.compute, components.compute, &Values::compute, group,
                         values, free);
  preparation.efficiency("KV streaming", choice.kv, components.kv, &Values::kv, group, values,
                         free);
  if (choice.per_layer.origin == Origin::kFitted) {
    free.push_back({&Values::per_layer, 0, kLayerStep});
  } else {
    values.per_layer = choice.per_layer.value;
  }
  if (!free.empty()) {
    std::vector<double> lower;
    std::vector<double> step;
    for (const FreeParameter& parameter : free) {
      lower.push_back(parameter.lower);
      step.push_back(parameter.step);
    }
    const auto with = [&](const std::vector<double>& fitted) {
      Values tried = values;
      for (std::size_t i = 0; i < free.size(); ++i) tried.*free[i].member = fitted[i];
      return tried;
    };
    values = with(fit_robust(
        [&](const std::vector<double>& fitted) {
          std::vector<double> residuals;
          for (const Observation& o : group) {
            const System system = calibrated(o, with(fitted), components.all_reduce);
            residuals.push_back(std::log(seconds_on(o, system) / o.seconds));
          }
          return residuals;
        },
        lower, step));
    say_fitted(preparation, values, free);
  }
  calibration.efficiencies = {1 / values.weights, 1 / values.kv, 1 / values.compute};
  calibration.per_layer_seconds = values.per_layer;
  return calibration;
}

bool is_kernel_row(const MeasuredRow& row) {
  return row.kind.starts_with("kernel_") || row.kind == "comm_allreduce";
}

Validation validate(const std::vector<MeasuredRow>& rows,
                    const std::vector<MeasuredRow>& kernel_rows, const Library& library,
                    const FitChoice& choice) {
  const Observations observations = observe(rows, library);
  Validation result;
  result.left_out = observations.left_out;
  for (const Group& group : grouped(observations.usable, choice)) {
    result.groups.push_back(
        validate_group(group, components_of(group.rows, kernel_rows, library), choice));
  }
  cross_validate(result);
  return result;
}

double expected_seconds(const Observation& observation, const Engine& engine,
                        const ExpectationData& data) {
  return seconds_on(observation, expected_system(observation.system, engine, data).system);
}

void add_expectations(Validation& validation, const ExpectationData& data) {
  for (GroupValidation& group : validation.groups) {
    std::vector<double> errors;
    for (RowError& row : group.rows) {
      const Engine* engine = engine_of_row(data, row.observation.row.engine);
      if (!engine) continue;
      row.expected_seconds = expected_seconds(row.observation, *engine, data);
      errors.push_back(std::abs(row.expected_error()));
    }
    if (errors.empty()) continue;
    group.expected_mape =
        std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  }
}

Validation validate_with(const std::vector<Calibration>& calibrations,
                         const std::vector<MeasuredRow>& rows, const Library& library) {
  const Observations observations = observe(rows, library);
  Validation result;
  result.left_out = observations.left_out;
  for (const Group& group : grouped_as(observations.usable, calibrations)) {
    result.groups.push_back(validate_group_with(calibrations, group));
  }
  return result;
}

std::vector<Calibration> calibrate_groups(const std::vector<MeasuredRow>& rows,
                                          const std::vector<MeasuredRow>& kernel_rows,
                                          const Library& library, const FitChoice& choice) {
  std::vector<Calibration> calibrations;
  for (const Group& group : grouped(observe(rows, library).usable, choice)) {
    const bool prefill = group.rows.front().prefill;
    const FitChoice fitted = choice_for(choice, prefill);
    if (static_cast<double>(group.rows.size()) < free_parameters(fitted, prefill)) continue;
    // If no row determines a parameter, validate() reports it, and the other groups are calibrated.
    try {
      calibrations.push_back(calibrate(group.rows, components_of(group.rows, kernel_rows, library),
                                       fitted, group.name));
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  return calibrations;
}

}  // namespace roofline::llm
