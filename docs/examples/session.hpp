// SPDX-License-Identifier: MIT
// A command that waits for keys, driven in a terminal.
#pragma once

#include <string>
#include <string_view>

namespace docs {

/// What a terminal showed of a command driven by steps. `session` is "COMMAND => STEP => STEP": a
/// step [x] types x, any other is a shell command, for instance one that saves a file. Each step
/// waits until the command shows `prompt` again; after the last step the command must end by
/// itself. The shell runs in the current folder.
/// @throws std::runtime_error if a prompt does not come, or a step or the command fails.
std::string output_of_session(std::string_view session, const std::string& prompt);

/// The command of a session.
std::string command_of_session(std::string_view session);

}  // namespace docs
