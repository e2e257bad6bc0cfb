"""The rules of the book, a chapter each."""
