# pack-modules.awk: see pack-modules. Reads the paths of the modules; POSIX awk.

function fail(file, line, why) {
	print "pack-modules: " file ": " why ": " line > "/dev/stderr"
	failed = 1
	exit 1
}

# The path that a relative address means in a file.
function resolve(from, address,    parts, n, i, path, folders, m) {
	m = split(from, folders, "/") - 1
	n = split(address, parts, "/")
	for (i = 1; i <= n; i++) {
		if (parts[i] == "..") m--
		else if (parts[i] != ".") folders[++m] = parts[i]
	}
	path = folders[1]
	for (i = 2; i <= m; i++) path = path "/" folders[i]
	return path
}

function flat(path) {
	gsub("/", ".", path)
	return path
}

# The name of a module's exports.
function space(path) {
	sub(/\.js$/, "", path)
	gsub(/[^A-Za-z0-9]/, "_", path)
	return path
}

# What stands between the first pair of quotes.
function quoted(line) {
	return match(line, /'[^']*'/) ? substr(line, RSTART + 1, RLENGTH - 2) : ""
}

# What stands between braces, with `as` written as in a pattern.
function names(line) {
	match(line, /\{[^}]*\}/)
	line = substr(line, RSTART + 1, RLENGTH - 2)
	gsub(/ as /, ": ", line)
	return line
}

# ---- reading: without comments, empty lines and indentation ----

function read(file,    line, comment, status) {
	while ((status = (getline line < file)) > 0) {
		if (comment) {
			if (line ~ /\*\//) comment = 0
		} else if (line ~ /^[ \t]*\/\*\*/) {
			if (line !~ /\*\//) comment = 1
			else if (line !~ /\*\/[ \t]*$/) code(file, line)
		} else if (line !~ /^[ \t]*(\/\/|$)/) {
			code(file, line)
		}
	}
	if (status < 0) fail(file, "", "cannot be read")
	close(file)
}

# Without the comment at its end, types in it, and indentation.
function bare(line) {
	gsub(/\/\*\* @[^*]*\*\/ ?/, "", line)
	if (match(line, /[;,{}(\])] \/\/ [^'"`]*$/)) line = substr(line, 1, RSTART)
	sub(/^[ \t]+/, "", line)
	return line
}

function code(file, line) {
	if (line ~ /^(await|[^ \t].*[ (]await) /) waits[file] = 1
	if (line ~ /^export /) has_exports[file] = 1
	line = bare(line)
	text[file, ++lines[file]] = line
	if (line ~ /^(import|export) .* from '/) needs[file, ++needed[file]] = resolve(file, quoted(line))
}

# ---- which module is where ----

# Adds a module and what it needs to a file, in order.
function add(file, target,    i) {
	if (state[file, target] == 2 || (file in home && home[file] != target && !own)) return
	if (!(file in lines)) fail(file, "", "is not there")
	if (state[file, target] == 1) fail(file, "", "needs itself")
	state[file, target] = 1
	for (i = 1; i <= needed[file]; i++) add(needs[file, i], target)
	state[file, target] = 2
	if (!own) home[file] = target
	order[target, ++count[target]] = file
}

function join_all(list, target,    files, n, i) {
	n = split(list, files, " ")
	for (i = 1; i <= n; i++) add(files[i], target)
}

# ---- writing ----

# Code with its dynamic imports leading to where the modules are.
function rewritten(file, line,    before, found, path) {
	before = ""
	while (match(line, /(import\(|new URL\()'\.[^']*\.js'/)) {
		before = before substr(line, 1, RSTART - 1)
		found = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		path = resolve(file, quoted(found))
		if (!(path in lines)) fail(file, found, "names what is not there")
		if (script && state[path, script]) {
			before = before "Promise.resolve(" space(path)
		} else if (found ~ /^new/) {
			before = before "new URL('./" flat(path) "'"
		} else if (path in home) {
			line = substr(line, 2) # after the bracket
			before = before "import('./" flat(home[path]) "').then((all) => all." space(path) ")"
		} else {
			before = before "import('./" flat(path) "'"
		}
	}
	return before line
}

# A module's own imports and exports as plain code; `packed`: it is a function in a file of several.
function statement(file, line, packed,    path, name, parts, n, i) {
	path = resolve(file, quoted(line))
	if (line ~ /^import \{[^}]*\} from '[^']*';$/) {
		if (packed || path in home) return "const {" names(line) "} = " space(path) ";"
		return "import " substr(line, 8, index(line, "from") - 8) "from './" flat(path) "';"
	}
	if (line ~ /^export \{ *\};$/) return ""
	if (line ~ /^export \{[^}]*\} from '[^']*';$/ && packed) {
		n = split(names(line), parts, /, */)
		for (i = 1; i <= n; i++) {
			name = parts[i]
			gsub(/^ +| +$/, "", name)
			sub(/: .*/, "", name)
			given = parts[i]
			gsub(/^ +| +$|^.*: /, "", given)
			exports = exports given ": " space(path) "." name ", "
		}
		return ""
	}
	if (match(line, /^export (async function\*?|function\*?|class|const) +[A-Za-z_$][A-Za-z0-9_$]*/)) {
		name = substr(line, RSTART, RLENGTH)
		sub(/^.* /, "", name)
		exports = exports name ", "
		return packed ? substr(line, 8) : line
	}
	fail(file, line, "a form that is not known")
}

function write_module(file, out, packed,    i, line, seen, path) {
	exports = ""
	# What exports nothing need not be awaited: what it loads may import this file.
	if (packed) print "const " space(file) " = " (waits[file] ? (has_exports[file] ? "await (async " : "(async ") : "(") "() => {" > out
	else for (i = 1; i <= needed[file]; i++) {
		path = needs[file, i]
		if (path in home && !(path in seen)) print "import { " space(path) " } from './" flat(home[path]) "';" > out
		seen[path] = 1
	}
	for (i = 1; i <= lines[file]; i++) {
		line = text[file, i]
		if (line ~ /^(import|export) /) line = statement(file, line, packed)
		line = rewritten(file, line)
		if (line != "") print line > out
	}
	if (packed) print "return { " exports "};\n})();" > out
}

function write_joined(target,    out, i, j, file, path, seen) {
	out = to "/" flat(target)
	for (i = 1; i <= count[target]; i++) {
		file = order[target, i]
		for (j = 1; j <= needed[file]; j++) {
			path = needs[file, j]
			if (state[path, target] || path in seen) continue
			seen[path] = 1
			print "import { " space(path) " } from './" flat(home[path]) "';" > out
		}
	}
	if (script) print "(() => {\n'use strict';" > out
	for (i = 1; i <= count[target]; i++) write_module(order[target, i], out, 1)
	if (script) {
		print "})();" > out
		close(out)
		return
	}
	printf "export { " > out
	for (i = 1; i <= count[target]; i++) printf "%s, ", space(order[target, i]) > out
	print "};" > out
	close(out)
}

function is_alone(file,    parts, n, i) {
	n = split(alone, parts, " ")
	for (i = 1; i <= n; i++) if (index(file, parts[i]) == 1) return 1
	return 0
}

{ read($0); files[++total] = $0 }

END {
	if (failed) exit 1
	join_all(first, "page.js")
	join_all(later, "page/timeline.js")
	join_all(session, "page/session/sessions.js")
	join_all(library, "page/offline/library.js")
	write_joined("page.js")
	write_joined("page/timeline.js")
	write_joined("page/session/sessions.js")
	write_joined("page/offline/library.js")
	for (i = 1; i <= total; i++) {
		if (files[i] in home || is_alone(files[i])) continue
		write_module(files[i], to "/" flat(files[i]), 0)
		close(to "/" flat(files[i]))
	}
	own = 1 # runs apart: what it needs is not shared
	total = split(workers, files, " ")
	for (i = 1; i <= total; i++) {
		join_all(files[i], files[i])
		write_joined(files[i])
	}
	script = "cubed.js" # needs no other file, and is a module or a plain script as the page likes
	join_all(element, script)
	write_joined(script)
}
