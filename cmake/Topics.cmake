# SPDX-License-Identifier: MIT
# Finds every topic folder; nothing central lists them.
function(rl_add_topics)
endfunction()
