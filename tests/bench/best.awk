# best(file, values): of lines "name time", the least time of each name. order[1..count] are the
# names, as the first file has them.
function best(file, values,   line, part) {
  while ((getline line < file) > 0) {
    split(line, part, " ")
    if (!(part[1] in values) || part[2] < values[part[1]]) values[part[1]] = part[2]
    if (!(part[1] in seen)) { seen[part[1]] = 1; order[++count] = part[1] }
  }
}
