"""Measurements of the main paths, on every engine. `python -m benchmarks --help`; results in docs/benchmarks.md."""
