#!/bin/sh
# postgres.sh: a PostgreSQL server of the tests' own, in a temporary folder, on Unix sockets only. Nothing else of the
# machine's PostgreSQL is used but its programs. As root, its servers run as user postgres, or nobody.
#
#   postgres.sh serve [SETTING=VALUE...]   starts server a, prints "ready FOLDER", then takes a command a line:
#   postgres.sh with COMMAND...            starts server a, runs COMMAND with CUBED_TEST_POSTGRES=FOLDER, ends with its status
#
# A server NAME is reached by `host=FOLDER/NAME user=cubed dbname=postgres`. Each command is answered by a line, "ok" or
# "failed" and perhaps more:
#
#   start NAME                    starts it again
#   stop NAME                     as an operator would
#   kill NAME                     all its processes at once, as if its machine were gone
#   freeze NAME, thaw NAME        all its processes
#   silence NAME                  it sends nothing to its standbys any more
#   standby NAME OF               makes NAME a new, empty standby of OF and starts it; deletes what NAME was
#   promote NAME                  makes a standby a primary
#   synchronous NAME              its commits wait for a standby from now on; answers when there is one
#   set NAME SETTING [VALUE]      a setting, at once or at its next start; no value: empty
#
# At the end of standard input (so also if the test is killed) all servers are killed and the folder is removed.
set -u

# ---- around a command ----

if [ "${1:-}" = with ]; then
	shift
	pipes=$(mktemp -d)
	mkfifo "$pipes/in" "$pipes/out"
	"$0" serve <"$pipes/in" >"$pipes/out" &
	exec 3>"$pipes/in" 4<"$pipes/out"
	rm -r "$pipes"
	read -r word folder <&4 && [ "$word" = ready ] || exit 1
	CUBED_TEST_POSTGRES=$folder "$@" 3>&- 4<&-
	status=$?
	exec 3>&-
	wait
	exit $status
fi
[ "${1:-}" = serve ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
shift
trap '' INT TERM HUP

# ---- servers: their folders are $folder/NAME, their data $folder/NAME/data, the process PID_NAME ----

programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$programs" ] || programs=$(dirname "$(command -v initdb || echo /usr/bin/initdb)")
as=
if [ "$(id -u)" = 0 ]; then
	user=postgres
	id "$user" >/dev/null 2>&1 || user=nobody
	as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
# In memory if there is room: a file system where fsync costs nothing, so that fsync need not be off.
room=$(df -k --output=avail /dev/shm 2>/dev/null | tail -1)
[ "${room:-0}" -gt 1000000 ] && [ -w /dev/shm ] && base=/dev/shm || base=/tmp
folder=$(mktemp -d "${TMPDIR:-$base}/cubed-pg-XXXXXX")
chmod 755 "$folder"
[ -z "$as" ] || chown "$user" "$folder"
cd "$folder" || exit 1
pid_a= pid_b= pid_c=

pid_of() { eval "echo \"\$pid_$1\""; }
sql() { "$programs/psql" -XAtq -h "$folder/$1" -U cubed postgres -c "$2" 2>&1; }

running() { # PID...: whether one of them is; a zombie is not
	for pid; do
		case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) in '' | Z* | X*) ;; *) return 0 ;; esac
	done
	return 1
}

await() { # COMMAND...: until it succeeds; two minutes, so that a slow machine does not matter
	tries=2400
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

ready_or_gone() { [ "$(sed -n '8s/ *$//p' "$1/data/postmaster.pid" 2>/dev/null)" = ready ] || ! running "$(pid_of "$1")"; }
gone() { ! running "$@"; }

start() {
	rm -f "$1/data/postmaster.pid"
	# The server has a session of its own, so that an interrupt of the tests leaves it; if this shell is killed, it
	# ends as well.
	# shellcheck disable=SC2086
	setsid $as setpriv --pdeathsig QUIT "$programs/postgres" -D "$folder/$1/data" </dev/null >>"$folder/$1/log" 2>&1 &
	eval "pid_$1=$!"
	await ready_or_gone "$1" && running "$(pid_of "$1")" && return
	tail -5 "$1/log" >&2
	return 1
}

stop() {
	kill -INT "$(pid_of "$1")" && await gone "$(pid_of "$1")" || kill_all "$1"
	wait "$(pid_of "$1")" 2>/dev/null
	eval "pid_$1="
}

all_of() { echo "$(pid_of "$1") $(pgrep -P "$(pid_of "$1")")"; }

kill_all() {
	all=$(all_of "$1")
	# First none of them can act: a server that sees its postmaster die shows commits that no standby has.
	# shellcheck disable=SC2086
	kill -STOP $all 2>/dev/null
	# shellcheck disable=SC2086
	kill -9 $all 2>/dev/null
	# shellcheck disable=SC2086
	await gone $all
	eval "pid_$1="
}

# shellcheck disable=SC2046
signal() { kill "$2" $(all_of "$1") 2>/dev/null || :; }

# shellcheck disable=SC2046
silence() { kill -STOP $(pgrep -P "$(pid_of "$1")" -f walsender); }

configure() {
	# shellcheck disable=SC2086
	$as sh -c 'cat >> "$1/data/postgresql.auto.conf"' sh "$1"
}

create() {
	# shellcheck disable=SC2086
	$as mkdir -p "$1" && $as "$programs/initdb" -D "$1/data" -U cubed -A trust --no-sync --no-locale -E UTF8 >"$folder/initdb.log" 2>&1 || { tail -5 "$folder/initdb.log" >&2; return 1; }
	printf '%s\n' "listen_addresses=''" "unix_socket_directories='$folder/$1'" max_connections=200 shared_buffers=64MB \
		dynamic_shared_memory_type=mmap jit=off max_parallel_workers_per_gather=0 checkpoint_timeout=15min max_wal_size=256MB wal_level=replica wal_keep_size=64MB \
		wal_retrieve_retry_interval=100ms log_min_messages=warning "log_line_prefix='%m %p '" | configure "$1"
	name=$1
	shift
	[ $# = 0 ] || printf '%s\n' "$@" | configure "$name"
}

standby() {
	[ -z "$(pid_of "$1")" ] || kill_all "$1"
	rm -rf "$1"
	# shellcheck disable=SC2086
	$as mkdir "$1" && $as "$programs/pg_basebackup" -h "$folder/$2" -U cubed -D "$1/data" -R -X stream -c fast --no-sync >"$folder/basebackup.log" 2>&1 || { tail -5 "$folder/basebackup.log" >&2; return 1; }
	printf '%s\n' "unix_socket_directories='$folder/$1'" "synchronous_standby_names=''" \
		"primary_conninfo='host=$folder/$2 user=cubed application_name=$1'" | configure "$1"
	start "$1"
}

replicated() { [ -n "$(sql "$1" "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')")" ]; }

synchronous() {
	echo "synchronous_standby_names='*'" | configure "$1"
	kill -HUP "$(pid_of "$1")" && await replicated "$1"
}

finish() {
	for name in a b c; do
		pid=$(pid_of $name)
		[ -n "$pid" ] || continue
		# At once, but with its shared memory; a frozen one has to be thawed to hear it.
		kill -QUIT "$pid" && signal $name -CONT
		await gone "$pid" || kill_all $name
	done
	cd / && rm -rf "$folder"
}
trap finish EXIT

obey() { # COMMAND NAME [ARGUMENT...]
	case ${2:-} in a | b | c) ;; *) return 1 ;; esac
	case $1 in
	kill | freeze | thaw | silence | stop | promote | synchronous | set) [ -n "$(pid_of "$2")" ] || return 1 ;;
	esac
	case $1 in
	start | stop | standby | synchronous | silence) "$@" ;;
	kill) kill_all "$2" ;;
	freeze) signal "$2" -STOP ;;
	thaw) signal "$2" -CONT ;;
	promote) [ "$(sql "$2" 'SELECT pg_promote()')" = t ] ;;
	set) echo "$3='${4:-}'" | configure "$2" && kill -HUP "$(pid_of "$2")" ;;
	*) false ;;
	esac
}

create a "$@" && start a || exit 1
echo "ready $folder"
while read -r line; do
	[ -n "$line" ] || continue
	# shellcheck disable=SC2086
	if obey $line; then echo ok; else echo "failed $line"; fi
done
