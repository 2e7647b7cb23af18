#!/bin/sh
# The test looks on 2020-01-01: one transcript has 3 of its 30 days left, the other 9.
set -eu
TZ=UTC0 touch -t 201912050000 fires/projects/*/*.jsonl
TZ=UTC0 touch -t 201912110000 quiet/projects/*/*.jsonl
