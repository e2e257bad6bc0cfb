"""The pages are tested: what they show is run, and what exists is shown.

`python -m tests.docs` writes the true output below every command and prompt of the pages.
"""
