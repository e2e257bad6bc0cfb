"""Tests of second_edition, one file for each chapter."""
