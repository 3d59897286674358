// SPDX-License-Identifier: MIT
// Copies arguments to the device, calls the entry, and copies results back.
#include "call.hpp"

#include <stdexcept>

namespace harness {

Call::Call(const LabEntry& entry, std::vector<CallArgument> arguments, Call* like)
    : entry_(&entry), arguments_(std::move(arguments)) {
  if (like != nullptr && (like->is_invoked_ || like->entry_ != entry_)) {
    throw std::invalid_argument("only a call that has not been invoked can be copied");
  }
  if (like != nullptr && !is_on_host()) {
    like->originals();
    originals_ = like->originals_;
  }
  if (arguments_.size() != entry.parameters.size()) {
    throw std::invalid_argument(entry.name + " takes " + std::to_string(entry.parameters.size()) +
                                " arguments, and the task gives " +
                                std::to_string(arguments_.size()));
  }
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const CallArgument& argument = arguments_[i];
    const Parameter& parameter = entry.parameters[i];
    memory_.emplace_back();
    bound_.push_back({argument.bits, nullptr, argument.count});
    if (!parameter.is_buffer) continue;
    const std::size_t size = size_of(parameter.element);
    if (argument.first + argument.count > argument.initial.size() / size) {
      throw std::invalid_argument("argument " + std::to_string(i) + " of " + entry.name +
                                  " does not fit its buffer");
    }
    memory_[i] = entry.device->allocate(argument.initial.size(), i);
    if (like != nullptr) {
      memory_[i]->copy_from(*like->memory_[i]);
    } else {
      memory_[i]->upload(argument.initial);
    }
    bound_[i].data = memory_[i]->data() + argument.first * size;
  }
  entry.device->synchronize();
}

Call::Memories& Call::originals() {
  if (originals_) return *originals_;
  originals_ = std::make_shared<Memories>(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!memory_[i] || !entry_->parameters[i].is_writable) continue;
    (*originals_)[i] = entry_->device->allocate(arguments_[i].initial.size(), i);
    (*originals_)[i]->upload(arguments_[i].initial);
  }
  return *originals_;
}

void Call::reset() {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!memory_[i] || !entry_->parameters[i].is_writable) continue;
    if (is_on_host()) {
      memory_[i]->upload(arguments_[i].initial);
    } else {
      memory_[i]->copy_from(*originals()[i]);
    }
  }
  entry_->device->synchronize();
}

void Call::invoke() {
  is_invoked_ = true;
  entry_->invoke(bound_.data());
}

CountedWork Call::count() {
  CountedWork work =
      entry_->device->counted([](void* call) { static_cast<Call*>(call)->invoke(); }, this);
  if (work.empty()) throw std::invalid_argument(entry_->name + " cannot be counted");
  return work;
}

std::string Call::profile(const std::string& geometry, int registers_per_thread) {
  std::string json = entry_->device->profiled(
      geometry, registers_per_thread, [](void* call) { static_cast<Call*>(call)->invoke(); }, this);
  if (json.empty()) {
    throw std::invalid_argument(entry_->name +
                                " can only be profiled by the program NAME-checked, on the CPU");
  }
  return json;
}

std::string Call::peek(std::size_t argument, std::span<const std::size_t> elements) const {
  if (argument >= memory_.size() || !memory_[argument]) throw std::out_of_range("no such buffer");
  const CallArgument& buffer = arguments_[argument];
  const std::size_t size = size_of(entry_->parameters[argument].element);
  std::string bytes(elements.size() * size, '\0');
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] >= buffer.count) throw std::out_of_range("no such element");
    auto* place = reinterpret_cast<std::byte*>(bytes.data() + i * size);
    memory_[argument]->read((buffer.first + elements[i]) * size, {place, size});
  }
  return bytes;
}

void Call::download() {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (memory_[i]) memory_[i]->download(arguments_[i].result);
  }
}

}  // namespace harness
