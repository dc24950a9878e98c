#!/usr/bin/env bash
# Whether the app at this port of the container is ready: GET /readyz answers 200, and within four seconds. Bash alone, and no
# process next to it: this runs every few seconds, the image has no other program for it but Node, and nothing there would
# collect what such a process leaves.
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" >&3
read -r -t 4 _ status _ <&3
[ "$status" = 200 ]
