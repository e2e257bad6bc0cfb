"""The rules of the sheet, chapter by chapter; they know neither questions nor battles."""
