// SPDX-License-Identifier: MIT
// The configuration files for editors: they can be parsed, and the files and targets in them exist.
// tests/structure/templates.sh tries their commands.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/catch.hpp"

namespace {

using nlohmann::json;

/// JSON with comments, as editors read it.
json parsed(const std::string& file) {
  INFO(file);
  std::ifstream in(std::string(RL_SOURCE "/") + file);
  REQUIRE(in.good());
  const std::string text(std::istreambuf_iterator<char>(in), {});
  json document = json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  REQUIRE(document.is_object());
  return document;
}

}  // namespace

TEST_CASE("VS Code's tasks have a label, a command, and every input that they ask for") {
  const json tasks = parsed(".vscode/tasks.json");
  CHECK(tasks.at("version") == "2.0.0");
  std::set<std::string> inputs;
  for (const json& input : tasks.at("inputs")) {
    inputs.insert("${input:" + input.at("id").get<std::string>() + "}");
    CHECK_FALSE(input.at("description").get<std::string>().empty());
  }
  std::set<std::string> labels;
  for (const json& task : tasks.at("tasks")) {
    const auto label = task.at("label").get<std::string>();
    const auto command = task.at("command").get<std::string>();
    INFO(label << ": " << command);
    CHECK(labels.insert(label).second);
    CHECK(task.at("type") == "shell");
    const auto asks = command.find("${input:");
    if (asks != std::string::npos) {
      CHECK(inputs.count(command.substr(asks, command.find('}', asks) + 1 - asks)) == 1);
    }
  }
  CHECK(labels.size() >= 5);
}

TEST_CASE("VS Code's settings and the dev container can be read") {
  CHECK(parsed(".vscode/settings.json").at("files.associations").at("*.cu") == "cpp");
  const json container = parsed(".devcontainer/devcontainer.json");
  CHECK(container.at("image") == "debian:12");
  const auto command = container.at("postCreateCommand").get<std::string>();
  CHECK(command.find("./lab install --yes") != std::string::npos);
  CHECK(container.at("customizations").at("vscode").at("extensions").is_array());
}

TEST_CASE("CMake's presets can be read, and workflows name presets that exist") {
  const json presets = parsed("CMakePresets.json");
  const auto names = [&](const char* kind) {
    std::set<std::string> result;
    for (const json& preset : presets.at(kind)) {
      if (!preset.value("hidden", false)) result.insert(preset.at("name").get<std::string>());
    }
    return result;
  };
  const std::set<std::string> configured = names("configurePresets");
  for (const char* name : {"cpu", "cuda", "hip", "asan", "tidy"})
    CHECK(configured.count(name) == 1);
  for (const json& workflow : presets.at("workflowPresets")) {
    for (const json& step : workflow.at("steps")) {
      INFO(workflow.at("name") << " " << step.dump());
      const auto kind = step.at("type").get<std::string>() + "Presets";
      CHECK(names(kind.c_str()).count(step.at("name").get<std::string>()) == 1);
    }
  }
}
