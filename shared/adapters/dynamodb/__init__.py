"""Outboard's two tables: the only place that knows pynamodb."""
