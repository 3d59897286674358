# One Markdown file, read on a Git host and in the docs site: turns the formula notation of the former
# ($`...`$ and ```math blocks) into Doxygen's.
s/\$`([^`]*)`\$/\\f$\1\\f$/g
/^```math$/,/^```$/ {
  s/^```math$/\\f[/
  s/^```$/\\f]/
}
# Names of computed numbers (docs/values.cpp) are for the source only.
s/<!--v:[^>]*-->//g
s/<!--\/v-->//g
