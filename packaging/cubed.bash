# cubed.bash: completion for bash. Flags and commands are those that `cubed --help` names.

_cubed()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} IFS=$' \t\n'
	# --flag=value is three words here.
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	local help words command=${COMP_WORDS[1]}
	help=$("$1" --help 2>/dev/null)
	case $before in
	--listen) words='127.0.0.1:8080 8080 unix:/' ;;
	--store) words='sqlite: postgresql: memory:' ;;
	--log-level) words='debug info warning error off' ;;
	--log-format) words='logfmt json' ;;
	--log-requests) words='none errors all' ;;
	--loops) words='1 2 4' ;;
	--tls-cert | --tls-key | --token-file | --output | -o)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--tables-dir)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	tables) words='build list' ;;
	migrate) words='sqlite: postgresql:' ;;
	--rate-limit | --require-replica) words='on off' ;;
	--store-wait-ms) words='10000' ;;
	--drain-ms) words='0 5000' ;;
	--base-path) words='/cubes' ;;
	--store-lanes) words='1 2 4' ;;
	--trusted-proxy) words='127.0.0.1 ::1 unix' ;;
	--allow-origin) words='* none http:// https://' ;;
	--security-contact) words='mailto: https:// tel:' ;;
	--allow-host | --help | --version) return ;;
	--max-* | *-ms | --*-bytes) words='off' ;;
	--size) words='2 3 4 5' ;;
	--as) [ "$command" = rows ] && words='colors onehot features cubies permutation index' || words='facelets net reid index cubies faces' ;;
	--event) words='222 333 444 555 666 777 333bf 333fm 333oh' ;;
	--method) words='two_phase optimal fewest beginner' ;;
	--color) words='always never' ;;
	--format) [ "$command" = rows ] && words='ndjson npy raw' || words='svg png' ;;
	--label) words='walk solution distance bound' ;;
	--symmetry) words='none random' ;;
	--children) words='true false' ;;
	--walk) words='1..26 20' ;;
	--keys) words='letters speed' ;;
	--join) words='http:// https://' ;;
	*)
		# These commands have options of their own, which they list.
		case $command in
		apply | solve | scramble | convert | rows | draw)
			((COMP_CWORD == 1)) || help=$("$1" "$command" --help 2>/dev/null; echo '  --help')
			;;
		esac
		words=$(sed -nE 's/^ +(--[a-z][a-z-]*).*/\1/p' <<<"$help")
		if ((COMP_CWORD > 1)) && [ "$command" = play ]; then
			words='--size --keys --join --token-file --help'
		elif ((COMP_CWORD == 1)); then
			words+=" $(sed -nE 's/^ +(cubed )?([a-z]+)( [A-Z].*)?  .*/\2/p' <<<"$help")"
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	# What comes after a colon is a word of its own to bash.
	if declare -F __ltrim_colon_completions >/dev/null; then
		__ltrim_colon_completions "$word"
	fi
	if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == sqlite: ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _cubed cubed
