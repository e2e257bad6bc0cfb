"""The systems: siblings with the same rooms."""
