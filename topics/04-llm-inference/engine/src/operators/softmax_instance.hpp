// SPDX-License-Identifier: MIT
// Ends the unit of softmax_online, a template, with the instance that the engine calls.
#pragma once

template void unit_softmax_online::softmax_online<float>(std::int64_t columns,
                                                         gpu::DeviceSpan<const float> x,
                                                         gpu::DeviceSpan<float> y);
