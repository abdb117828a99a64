#!/bin/sh
# Resolves the requirements without their pins of other packages, and pins what came of it.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for file in requirements.txt requirements-dev.txt; do
    grep -v '^-c ' "$file" >"$folder/$file"
done
"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet -r "$folder/requirements-dev.txt"
{
    echo "# Every package that the requirements bring along, made by \`make pins\`."
    "$folder/venv/bin/python" -m pip freeze
} >"$folder/constraints.txt"
mv "$folder/constraints.txt" constraints.txt
