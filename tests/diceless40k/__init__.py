"""Tests of Diceless 40k."""
