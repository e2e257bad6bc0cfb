"""Where `battletape`, `bt` and `python -m battletape` begin: nothing is loaded before Ctrl-C is looked after."""


def main() -> None:
    """Load the command line and run a command; Ctrl-C ends it without a traceback also while it loads."""
    try:
        hear_ctrl_c()
        from battletape.cli import main as command

        command()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def hear_ctrl_c() -> None:
    """Take up a Ctrl-C that ./run held back while Python started."""
    import signal

    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


if __name__ == "__main__":
    main()
