// SPDX-License-Identifier: MIT
// Efficiencies from measurements of single kernels.
#include "roofline/llm/components.hpp"

#include <algorithm>
#include <functional>

#include "roofline/communication.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/least_squares.hpp"
#include "roofline/measurement.hpp"

namespace roofline::llm {
namespace {

constexpr double kStreamedRows = 64;     // products with more rows may be compute-bound
constexpr double kStreamedBytes = 30e6;  // smaller ones are mostly fixed cost
constexpr double kLargeProduct = 1e11;   // FLOPs
constexpr std::size_t kLineRows = 3;
constexpr double kLineSpan = 2;

struct Shape {
  double rows = 0;
  double columns = 0;
  double depth = 0;
};

/// "GEMM m=64 n=8192 k=8192", or "mlp_down_proj (14336->4096)" with the batch as rows.
std::optional<Shape> product_shape(const MeasuredRow& row) {
  Shape shape;
  if (std::sscanf(row.subject.c_str(), "GEMM m=%lf n=%lf k=%lf", &shape.rows, &shape.columns,
                  &shape.depth) == 3) {
    return shape;
  }
  const auto arrow = row.subject.find("->");
  if (arrow == std::string::npos) return std::nullopt;
  const auto before = row.subject.find_last_not_of("0123456789", arrow - 1) + 1;
  const auto depth = leading_number(row.subject.substr(before, arrow - before));
  const std::string after = row.subject.substr(arrow + 2);
  const auto columns = leading_number(after.substr(0, after.find(')')));
  const auto rows = leading_number(row.batch);
  if (!depth || !columns || !rows) return std::nullopt;
  return Shape{*rows, *columns, *depth};
}

double element_bytes(const MeasuredRow& row, const std::string& precision, const char* column,
                     const Names& names) {
  return parse_format(names.meaning(column, precision.empty() ? row.weights : precision))
      .bytes_per_element();
}

struct Point {
  std::string id = {};
  std::string hardware = {};
  double floor_seconds = 0;  ///< bytes over bandwidth
  double seconds = 0;
};

using PointOf = std::function<std::optional<Point>(const MeasuredRow&, const Machine&)>;

std::vector<Point> points_of(const std::vector<MeasuredRow>& rows, const Names& names,
                             Machines& machines, const PointOf& make) {
  std::vector<Point> points;
  for (const MeasuredRow& row : rows) {
    const Machine* machine = machines.find(names.meaning("hardware", row.hardware));
    if (!machine) continue;
    if (auto point = make(row, *machine)) {
      point->id = row.id;
      point->hardware = row.hardware;
      points.push_back(*point);
    }
  }
  return points;
}

std::optional<Point> weight_point(const MeasuredRow& row, const Machine& machine,
                                  const Names& names) {
  if (row.kind != "kernel_gemm" && row.kind != "kernel_linear") return std::nullopt;
  const auto shape = product_shape(row);
  if (!shape || shape->rows > kStreamedRows) return std::nullopt;
  const double size = element_bytes(row, row.weights, "weights_precision", names);
  const double weights = shape->columns * shape->depth * size;
  if (weights < kStreamedBytes) return std::nullopt;
  const double bytes = weights + shape->rows * (shape->columns + shape->depth) * size;
  return Point{.floor_seconds = bytes / bandwidth(machine), .seconds = measured_seconds(row, 1)};
}

std::optional<Point> kv_point(const MeasuredRow& row, const Machine& machine, const Names& names) {
  if (row.kind != "kernel_attention_decode") return std::nullopt;
  double query_heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  if (std::sscanf(row.subject.c_str(), "GQA decode Hq=%lf Hkv=%lf d=%lf", &query_heads, &kv_heads,
                  &head_dim) != 3) {
    return std::nullopt;
  }
  const auto batch = leading_number(row.batch);
  const auto context = leading_number(row.context);
  if (!batch || !context) return std::nullopt;
  const double bytes = 2 * kv_heads * head_dim * *batch * *context *
                       element_bytes(row, row.kv, "kv_precision", names);
  if (bytes < kStreamedBytes) return std::nullopt;
  return Point{.floor_seconds = bytes / bandwidth(machine), .seconds = measured_seconds(row, 1)};
}

std::optional<Point> compute_point(const MeasuredRow& row, const Machine& machine,
                                   const Names& names) {
  if (row.kind != "kernel_gemm") return std::nullopt;
  const auto shape = product_shape(row);
  if (!shape) return std::nullopt;
  const double flops = 2 * shape->rows * shape->columns * shape->depth;
  if (flops < kLargeProduct) return std::nullopt;
  const Precision precision = parse_precision(names.meaning("weights_precision", row.weights));
  const Peak* peak = find_peak(machine, precision, Unit::kMatrix);
  if (!peak) return std::nullopt;
  return Point{.floor_seconds = flops / peak->operations_per_second,
               .seconds = measured_seconds(row, 1)};
}

std::vector<Point> of_hardware(const std::vector<Point>& points,
                               const std::set<std::string>& hardware) {
  std::vector<Point> chosen;
  std::copy_if(points.begin(), points.end(), std::back_inserter(chosen),
               [&](const Point& point) { return hardware.count(point.hardware) > 0; });
  return chosen;
}

bool makes_line(const std::vector<Point>& points) {
  if (points.size() < kLineRows) return false;
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(),
      [](const Point& a, const Point& b) { return a.floor_seconds < b.floor_seconds; });
  return most->floor_seconds >= kLineSpan * least->floor_seconds;
}

Estimate estimate_from(const std::vector<Point>& points, double value, bool own) {
  Estimate estimate{.value = std::min(value, 1.0), .rows = {}, .own_hardware = own};
  for (const Point& point : points) estimate.rows.push_back(point.id);
  return estimate;
}

std::optional<Estimate> streaming(const std::vector<Point>& all,
                                  const std::set<std::string>& hardware) {
  std::vector<Point> used = of_hardware(all, hardware);
  const bool own = makes_line(used);
  if (!own) used = all;
  if (!makes_line(used)) return std::nullopt;
  std::vector<double> x;
  std::vector<double> y;
  for (const Point& point : used) {
    x.push_back(point.floor_seconds);
    y.push_back(point.seconds);
  }
  const double slope = fit_line_robust(x, y).slope;
  if (slope <= 0) return std::nullopt;
  return estimate_from(used, 1 / slope, own);
}

std::optional<Estimate> computing(const std::vector<Point>& all,
                                  const std::set<std::string>& hardware) {
  std::vector<Point> used = of_hardware(all, hardware);
  const bool own = !used.empty();
  if (!own) used = all;
  if (used.empty()) return std::nullopt;
  std::vector<double> parts;
  for (const Point& point : used) parts.push_back(point.floor_seconds / point.seconds);
  return estimate_from(used, summarize(parts).median, own);
}

struct MeasuredCollective {
  std::string id;
  std::string hardware;
  double bytes = 0;  ///< sent by one rank
  double seconds = 0;
};

std::vector<MeasuredCollective> collectives_of(const std::vector<MeasuredRow>& rows) {
  std::vector<MeasuredCollective> found;
  for (const MeasuredRow& row : rows) {
    const auto ranks = leading_number(row.ranks);
    const auto open = row.subject.find(", ");
    if (row.kind != "comm_allreduce" || !row.engine.ends_with("_graph") || !ranks ||
        open == std::string::npos) {
      continue;
    }
    const auto bytes = leading_number(row.subject.substr(open + 2));
    if (!bytes) continue;
    found.push_back({row.id, row.hardware,
                     collective_bytes(Collective::kAllReduce, *bytes, static_cast<int>(*ranks)),
                     measured_seconds(row, 1)});
  }
  return found;
}

void measure_collectives(const std::vector<MeasuredRow>& rows,
                         const std::set<std::string>& hardware, Components& components) {
  const std::vector<MeasuredCollective> all = collectives_of(rows);
  std::vector<MeasuredCollective> used;
  std::copy_if(all.begin(), all.end(), std::back_inserter(used),
               [&](const MeasuredCollective& collective) {
                 return hardware.count(collective.hardware) > 0;
               });
  components.all_reduce_own_hardware = used.size() >= kLineRows;
  if (!components.all_reduce_own_hardware) used = all;
  if (used.size() < kLineRows) return;
  const auto residuals = [&](const std::vector<double>& p) {
    std::vector<double> result;
    for (const MeasuredCollective& collective : used) {
      result.push_back((p[0] + p[1] * collective.bytes) / collective.seconds - 1);
    }
    return result;
  };
  const std::vector<double> fitted = fit_robust(residuals, {0, 0}, {1e-6, 1e-12});
  if (fitted[1] <= 0) return;
  components.all_reduce = AllReduce{fitted[0], 1 / fitted[1]};
  for (const MeasuredCollective& collective : used)
    components.all_reduce_rows.push_back(collective.id);
}

}  // namespace

const Machine* Machines::find(const std::string& id) {
  auto found = known_.find(id);
  if (found == known_.end()) {
    const std::filesystem::path file = folder_ / (id + ".toml");
    std::optional<Machine> machine;
    if (std::filesystem::is_regular_file(file)) machine = load_machine(file);
    found = known_.emplace(id, std::move(machine)).first;
  }
  return found->second ? &*found->second : nullptr;
}

Components measure_components(const std::vector<MeasuredRow>& rows,
                              const std::set<std::string>& hardware, const Names& names,
                              Machines& machines) {
  Components components;
  const auto points = [&](auto make) {
    return points_of(rows, names, machines, [&](const MeasuredRow& row, const Machine& machine) {
      return make(row, machine, names);
    });
  };
  components.weights = streaming(points(weight_point), hardware);
  components.kv = streaming(points(kv_point), hardware);
  components.compute = computing(points(compute_point), hardware);
  measure_collectives(rows, hardware, components);
  return components;
}

}  // namespace roofline::llm
