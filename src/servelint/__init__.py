"""A static linter for repositories that serve large language models."""

__version__ = "0.1.0"
