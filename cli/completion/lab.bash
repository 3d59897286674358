# SPDX-License-Identifier: MIT
# bash completion of ./lab. Once:  ./lab completion bash >> ~/.bash_completion
_lab() {
  local program="${COMP_WORDS[0]}" word="${COMP_WORDS[COMP_CWORD]}" command="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command="${COMP_WORDS[i]}"
      break
    fi
  done
  local words=""
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} == --preset ]]; then
    words="cpu cuda hip asan"
  elif [[ -z $command ]]; then
    words="start next check watch hint list progress reset show profile roofline engine chat docs test install doctor completion --preset"
  else
    case "$command" in
      check | watch | hint | list | reset | show | profile) words="$("$program" __ids 2>/dev/null)" ;;
      completion) words="bash zsh fish" ;;
    esac
    case "$command" in
      start) words+=" --yes --measure" ;;
      check) words+=" --seed" ;;
      watch) words+=" --poll" ;;
      progress) words+=" --json" ;;
      reset) words+=" --file" ;;
      show) words+=" --spoiler" ;;
      profile) words+=" $(compgen -G "$word*.cu") --machine --n --entry --registers --multiprocessors --json --csv --html --compare" ;;
      roofline) words+=" --out" ;;
      engine) words+=" --mine --prompt --tokens --temperature --seed --weights --ids --model" ;;
      chat) words+=" --mine --tokens --temperature --seed --weights --model" ;;
      install) words+=" --yes --all" ;;
      test) words+=" --quick --verbose" ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _lab lab ./lab
