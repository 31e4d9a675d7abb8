"""Patience grades Python programs that people talk to."""

__version__ = "0.1.0"
