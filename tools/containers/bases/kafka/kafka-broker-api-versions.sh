#!/bin/bash
# --bootstrap-server HOST:PORT: whether the broker there answers what versions it knows. A broker that is still starting does not.
set -eu
exec 3<>"/dev/tcp/${2%:*}/${2#*:}"
printf '\x00\x00\x00\x0a\x00\x12\x00\x00\x00\x00\x00\x01\x00\x00' >&3
[ "$(timeout 5 head -c 4 <&3 | wc -c)" = 4 ]
