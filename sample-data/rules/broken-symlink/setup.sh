#!/bin/sh
# A link whose target is gone; in quiet/ one whose target is there.
set -eu
ln -sfn ../../kept/5a0c0000-0000-4000-8000-000000000999.jsonl fires/projects/-home-dev-alpha/5a0c0000-0000-4000-8000-000000000999.jsonl
ln -sfn ../../kept/5a0e0000-0000-4000-8000-000000000999.jsonl quiet/projects/-home-dev-alpha/5a0e0000-0000-4000-8000-000000000999.jsonl
