"""Where `battletape`, `bt` and `python -m battletape` begin: nothing is loaded before Ctrl-C is looked after."""


def main() -> None:
    """Load the command line and run a command; Ctrl-C ends it without a traceback also while it loads."""
    try:
        from battletape.cli import main as command

        command()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
