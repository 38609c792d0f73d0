"""Reads the logs and metrics of running servers, see :mod:`servelint_sglang.startup`."""
