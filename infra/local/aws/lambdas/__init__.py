"""Runs the deployed functions: a process for each concurrent invocation, forked from a warm one."""
