"""Vectors of second_edition, one file for each family of questions."""
