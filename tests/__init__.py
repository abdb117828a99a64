"""The whole suite. `make test` runs it; see docs/operations.md for its parts."""
