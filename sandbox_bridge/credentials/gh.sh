#!/bin/sh
# gh, with a token that is good for the session's repositories and for this one process.
place=$(dirname "$(dirname "$(readlink -f "$0")")")
for client in \
	"$place"/code/sandbox_bridge/credentials/client.py \
	"$place"/python/lib/python3*/site-packages/sandbox_bridge/credentials/client.py; do
	[ -f "$client" ] && exec "$place/python/bin/python" -I -S "$client" gh "$0" "$@"
done
echo "outboard: this sandbox's bridge knows nothing of gh" >&2
exit 127
