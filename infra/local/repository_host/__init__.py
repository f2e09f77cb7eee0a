"""Serves local git repositories to local sandboxes, each under a URL that nobody can guess.

A repository is read in place and never mounted. The only thing that is ever written to it is a
branch `outboard/...`, and the objects that it needs.
"""
