"""The systems themselves: siblings with the same file names."""
