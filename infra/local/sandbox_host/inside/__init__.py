"""What runs inside a sandbox as its first process: standard library only, it sees nothing else."""
