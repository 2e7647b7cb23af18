#!/bin/sh
# A link to the folder it stands in; in quiet/ a link to another folder.
set -eu
ln -sfn . fires/projects/-home-dev-loop
ln -sfn ../kept/-home-dev-beta quiet/projects/-home-dev-beta
