#compdef lab
# SPDX-License-Identifier: MIT
# zsh completion of ./lab. Once:  ./lab completion zsh > ~/.lab.zsh; echo 'source ~/.lab.zsh' >> ~/.zshrc
# (after the line with compinit).
_lab() {
  local -a commands flags
  commands=(
    'start:install, build, measure, show the first exercise'
    'next:the first unsolved exercise'
    'check:build and judge exercises'
    'watch:judge at every save'
    'hint:one more hint for an exercise'
    'list:every exercise with its points'
    'progress:points of each topic as a bar'
    'reset:restore the starter; yours is kept'
    'show:the solution of a solved exercise'
    'profile:a kernel on the virtual GPU, line by line'
    'roofline:the roofline with your kernels on it'
    'engine:a small language model on this machine'
    'chat:the same for each line that you type'
    'docs:build the docs site'
    'test:build everything and run all tests'
    'install:only install packages'
    'doctor:what was found on this machine'
    'completion:completions for bash, zsh or fish'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  if [[ ${words[CURRENT - 1]} == --preset ]]; then
    compadd cpu cuda hip asan
    return
  fi
  case "${words[2]}" in
    check | watch | hint | list | reset | show | profile) compadd -- ${(f)"$(${~words[1]} __ids 2>/dev/null)"} ;;
    completion) compadd bash zsh fish ;;
  esac
  [[ ${words[2]} == profile ]] && _files -g '*.cu'
  case "${words[2]}" in
    start) flags=(--yes --measure) ;;
    check) flags=(--seed) ;;
    watch) flags=(--poll) ;;
    progress) flags=(--json) ;;
    reset) flags=(--file) ;;
    show) flags=(--spoiler) ;;
    profile) flags=(--machine --n --entry --registers --multiprocessors --json --csv --html --compare) ;;
    roofline) flags=(--out) ;;
    engine) flags=(--mine --prompt --tokens --temperature --seed --weights --ids --model) ;;
    chat) flags=(--mine --tokens --temperature --seed --weights --model) ;;
    install) flags=(--yes --all) ;;
    test) flags=(--quick --verbose) ;;
  esac
  compadd -- --preset $flags
}
compdef _lab lab ./lab
