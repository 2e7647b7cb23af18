#!/bin/sh
# One transcript that cannot be read; its neighbour in quiet/ is only read-only.
set -eu
bad=fires/projects/-home-dev-alpha/5a020000-0000-4000-8000-000000000999.jsonl
chmod 000 "$bad"
if cat "$bad" >/dev/null 2>&1; then
    # A superuser reads through any mode; the first page of a process's own memory is readable to nobody.
    rm -f "$bad"
    ln -s /proc/self/mem "$bad"
fi
if cat "$bad" >/dev/null 2>&1 || ! [ -e "$bad" ]; then exit 77; fi
chmod 444 quiet/projects/-home-dev-alpha/5a040000-0000-4000-8000-000000000999.jsonl
