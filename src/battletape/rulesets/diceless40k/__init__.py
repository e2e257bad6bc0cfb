"""Diceless 40k: every roll replaced by damage points, tables, order points and tokens."""
