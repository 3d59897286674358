// SPDX-License-Identifier: MIT
// Includes everything: the kernel language and the host side.
#pragma once

#include "gpu/buffer.hpp"
#include "gpu/copy.hpp"
#include "gpu/device.hpp"
#include "gpu/error.hpp"
#include "gpu/event.hpp"
#include "gpu/features.hpp"
#include "gpu/graph.hpp"
#include "gpu/kernel.hpp"
#include "gpu/launch.hpp"
#include "gpu/span.hpp"
#include "gpu/stream.hpp"
#include "gpu/symbol.hpp"
#include "gpu/vector.hpp"
