"""Benchmarks: what a step, a reset, a verdict, a copy, an environment and an import cost, against goals and a floor."""
