"""Benchmarks: how fast Battletape is beside its peers, in one run. Start with `./bench`; README.md says how to read it."""
