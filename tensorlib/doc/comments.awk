# The headers' plain comments as Doxygen's: the first block is about the file, a block before a
# declaration about that, and what stands behind code on its line about what it stands behind.
# Markup of Doxygen's own that may stand in a comment ('<', '#', '\', '@') means nothing here.
function plain(text) {
  gsub(/[\\@<>#]/, "\\\\&", text)
  return text
}
FNR == 1 && /^\/\// { print "/// @file"; in_head = 1 }
in_head && !/^\/\// { in_head = 0 }
/^[ \t]*\/\// {
  match($0, /^[ \t]*\/\/\/?/)
  text = plain(substr($0, RLENGTH + 1))
  print substr($0, 1, index($0, "//") - 1) "///" text
  next
}
# The same in headers for C.
FNR == 1 && /^\/\*/ { in_block = 1; print "/** @file"; sub(/\/\*/, " *") }
/^[ \t]*\/\*/ { in_block = 1; sub(/\/\*/, "/**") }
/[;,][ \t]+\/\*/ {
  in_block = !/\*\//
  sub(/\/\*/, "/**<")
  print
  next
}
in_block {
  if (/\*\//) in_block = 0
  print plain($0)
  next
}
/^[ \t]*#/ { print; next }
/;[ \t]+\/\/ |,[ \t]+\/\/ |\{[ \t]+\/\/ / {
  at = index($0, "// ")
  print substr($0, 1, at - 1) ($0 ~ /\{[ \t]+\/\/ / ? "// " : "///< ") plain(substr($0, at + 3))
  next
}
{ print }
