"""The rules, chapter by chapter; they know neither the questions nor the battle that ask them."""
