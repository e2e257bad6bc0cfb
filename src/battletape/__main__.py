"""`python -m battletape`: the same as the command `battletape`."""

from battletape.cli import main

if __name__ == "__main__":
    main()
