"""Hordes: how large they are, how they are attacked, and how they attack."""
