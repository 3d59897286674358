# SPDX-License-Identifier: MIT
# Time on the GPU.
import torch


def seconds_of(run):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    run()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1e-3
