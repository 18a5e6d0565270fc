# shellcheck shell=bash
# chroot.sh: Debians of their own, for tests/systems/run: made by mmdebstrap from the mirrors that apt uses on this machine, and
# entered in namespaces of their own, so that no process and no mount is left however a run ends.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/cubed/systems
keep_days=30
made_here=() # to be removed in the end
entered=

fail() {
	echo "systems: $1" >&2
	exit 1
}

leave() {
	[ -z "$entered" ] || kill -KILL "$entered" 2>/dev/null || true
	[ ${#made_here[@]} = 0 ] || rm -rf --one-file-system "${made_here[@]}"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# Ends the run unless this machine can make a Debian.
demand_root() {
	[ "$(id -u)" = 0 ] || fail "this makes a Debian of its own, which needs root: run it with sudo"
	local tool
	for tool in mmdebstrap unshare git flock; do
		command -v $tool >/dev/null || fail "there is no $tool; make packages-systems installs it"
	done
	unshare --mount --pid --fork true 2>/dev/null || fail 'this machine does not allow namespaces (unshare --mount --pid)'
}

# bootstrap DIRECTORY SUITE PACKAGES [ARCHITECTURES]
bootstrap() {
	local lines settings
	mapfile -t lines < <(tests/systems/sources "$2")
	[ ${#lines[@]} -gt 0 ] || fail "apt on this machine has no mirror of Debian (apt-get indextargets)"
	settings=$(mktemp)
	made_here+=("$settings")
	apt-config dump | grep -E '^Acquire::[^ ]*(Proxy|CaInfo|CaPath|Verify-Peer)' >"$settings" || true
	mkdir -p "$(dirname "$1")"
	if ! mmdebstrap --quiet --variant=minbase --aptopt="$settings" --dpkgopt=force-unsafe-io --include="$3" --architectures="${4:-$(dpkg --print-architecture)}" \
		"$2" "$1" "${lines[@]}" >"$1.log" 2>&1; then
		tail -15 "$1.log" >&2
		fail "mmdebstrap cannot make Debian $2 from ${lines[0]}"
	fi
	rm -f "$1.log"
}

# kept NAME SUITE PACKAGES [ARCHITECTURES]: sets `root` to a Debian in the cache. It is made again if it is not there,
# if it was not finished, if it was made in another way, and if it is old. Two runs wait for each other.
kept() {
	local recipe
	recipe=$(printf '%s\n' "${@:2}" "$(tests/systems/sources "$2")" "$(declare -f bootstrap)")
	root=$cache/$1
	mkdir -p "$cache"
	exec {lock}>"$root.lock"
	flock -n "$lock" || {
		echo "systems: waiting for another run in $root"
		flock "$lock"
	}
	if [ "$(cat "$root/made" 2>/dev/null)" = "$recipe" ] && [ -n "$(find "$root/made" -mtime "-$keep_days")" ]; then
		return
	fi
	echo "systems: making $root"
	rm -rf --one-file-system "$root" "$root.new"
	bootstrap "$root.new" "${@:2}"
	echo "$recipe" >"$root.new/made"
	mv "$root.new" "$root"
}

# fresh SUITE PACKAGES: sets `root` to a new Debian, which is removed in the end.
fresh() {
	root=$(mktemp -d /var/tmp/cubed-systems.XXXXXX)
	made_here+=("$root" "$root.log")
	chmod 755 "$root"
	echo "systems: making a fresh $1"
	bootstrap "$root" "$1" "$2"
}

# checkout: a copy of this checkout in `root`, with what is not committed yet, as a repository of its own.
checkout() {
	rm -rf --one-file-system "$root/src"
	mkdir -p "$root/src"
	git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
		[ -e "$file" ] && [ ! -d "$file" ] || [ -L "$file" ] && printf '%s\0' "$file"
	done | tar --create --null --no-recursion --files-from=- | tar --extract --no-same-owner --directory="$root/src"
	git -C "$root/src" init --quiet
	git -C "$root/src" add --all
	git -C "$root/src" -c user.name=cubed -c user.email=cubed@localhost commit --quiet --message='A copy'
}

# The parts of this machine that the commands inside know: only how it reaches package registries.
shared_variables=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE)
shared_files=(/etc/resolv.conf /etc/hosts /etc/npmrc "$HOME/.npmrc" "${NODE_EXTRA_CA_CERTS:-}" "${SSL_CERT_FILE:-}")

# inside COMMAND...: runs it in /src of `root`, as root; begin_inside: in the background, with its id in `entered`.
begin_inside() {
	local variable settings=()
	for variable in "${shared_variables[@]}"; do
		[ -z "${!variable:-}" ] || settings+=("$variable=${!variable}")
	done
	mkdir -p "$cache/ccache" "$root/var/cache/ccache" "$root/src"
	# shellcheck disable=SC2016
	setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --propagation private bash -c '
		set -e
		root=$1 ccache=$2 files=$3
		shift 3
		mount --bind "$root" "$root" # ip-netns(8) changes how "/" propagates mounts, so it must be one
		mount -t proc proc "$root/proc"
		mount --bind /sys "$root/sys"
		mount --bind /dev "$root/dev"
		mkdir -p "$root/dev/pts" "$root/dev/shm"
		mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
		mount -t tmpfs tmpfs "$root/dev/shm"
		mount --bind "$ccache" "$root/var/cache/ccache"
		rm -rf "$root/tmp"
		mkdir -m 1777 "$root/tmp"
		for file in $files; do
			[ -f "$file" ] || continue
			to=$root$(realpath -m "$file")
			[ "$file" != "$HOME/.npmrc" ] || to=$root/root/.npmrc
			mkdir -p "${to%/*}"
			[ -e "$to" ] || : >"$to"
			mount --bind "$file" "$to"
		done
		chroot "$root" env -i "$@"
		exit' inside "$root" "$cache/ccache" "${shared_files[*]}" \
		HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/var/cache/ccache \
		PATH=/usr/lib/ccache:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${settings[@]}" \
		sh -c 'cd /src && exec "$@"' sh "$@" &
	entered=$!
}

inside() {
	local code=0
	begin_inside "$@"
	wait "$entered" || code=$?
	entered=
	return "$code"
}
