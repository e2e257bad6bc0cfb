"""Benchmarks: how fast Battletape is beside its peers, in one run; start with `./bench`, read README.md first."""
