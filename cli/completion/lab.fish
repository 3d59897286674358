# SPDX-License-Identifier: MIT
# fish completion of ./lab. Once:  ./lab completion fish > ~/.config/fish/completions/lab.fish
function __lab_ids
    set -l program (commandline -opc)[1]
    string match -q '*/*' $program; or command -q $program; or return
    $program __ids 2>/dev/null
end
set -l commands start next check watch hint list progress reset show profile roofline docs test install doctor completion
complete -c lab -f
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a start -d "install, build, measure, show the first exercise"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a next -d "the first exercise that is not solved yet"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a check -d "build and judge exercises"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a watch -d "judge again at every save"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a hint -d "one more hint for an exercise"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a list -d "every exercise with its points"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a progress -d "points of each topic as a bar"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a reset -d "the starter again; yours is kept"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a show -d "the solution, once solved"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a profile -d "a kernel on the virtual GPU"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a roofline -d "the roofline with your kernels on it"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a docs -d "build the docs site"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a test -d "build everything and run all tests"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a install -d "only install packages"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a doctor -d "what was found on this machine"
complete -c lab -n "not __fish_seen_subcommand_from $commands" -a completion -d "completions for bash, zsh or fish"
complete -c lab -n "__fish_seen_subcommand_from check watch hint list reset show profile" -a "(__lab_ids)"
complete -c lab -n "__fish_seen_subcommand_from completion" -a "bash zsh fish"
complete -c lab -l preset -x -a "cpu cuda hip asan" -d "build"
complete -c lab -n "__fish_seen_subcommand_from start install" -l yes -d "do not ask"
complete -c lab -n "__fish_seen_subcommand_from start" -l measure -d "measure again"
complete -c lab -n "__fish_seen_subcommand_from install" -l all -d "those for CI and AMD GPUs too"
complete -c lab -n "__fish_seen_subcommand_from check" -l seed -x -d "the inputs of an earlier verdict"
complete -c lab -n "__fish_seen_subcommand_from watch" -l poll -d "look at the files"
complete -c lab -n "__fish_seen_subcommand_from profile" -l machine -x -a "h200-sxm h100-sxm a100-80gb-sxm rtx-4090 mi300x" -d "GPU to be"
complete -c lab -n "__fish_seen_subcommand_from profile" -l n -x -d "size of the problem"
complete -c lab -n "__fish_seen_subcommand_from profile" -l registers -x -d "of a thread"
complete -c lab -n "__fish_seen_subcommand_from profile" -l json -d "profile and times"
complete -c lab -n "__fish_seen_subcommand_from profile" -l csv -d "as ncu writes it"
complete -c lab -n "__fish_seen_subcommand_from profile" -l html -r -d "a page with a chart"
complete -c lab -n "__fish_seen_subcommand_from profile" -l compare -r -d "a real profile beside it"
complete -c lab -n "__fish_seen_subcommand_from progress" -l json -d "for programs"
complete -c lab -n "__fish_seen_subcommand_from reset" -l file -d "the whole file"
complete -c lab -n "__fish_seen_subcommand_from show" -l spoiler -d "before it is solved"
complete -c lab -n "__fish_seen_subcommand_from roofline" -l out -r -d "also a picture"
complete -c lab -n "__fish_seen_subcommand_from test" -l quick -d "unit tests only"
complete -c lab -n "__fish_seen_subcommand_from test" -l verbose -d "all that is printed"
