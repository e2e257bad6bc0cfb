"""`battletape serve`: the web page on this machine, for this browser and for phones nearby."""

from __future__ import annotations

import click

from battletape.cli.asking import whole


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, metavar="ADDRESS", help="127.0.0.1: this machine only.")
@click.option("--port", default="8000", show_default=True, metavar="N", help="The port to listen on.")
@click.option("--workers", metavar="N", help="Processes that answer; by default one per core, and at least two.")
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Trust this proxy, or network of proxies, to say who is asking (X-Forwarded-For).",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Answer to this name, too: dice.example.org; .example.org for all that end so; * for any.",
)
@click.option("--quiet", is_flag=True, help="Do not print a line for each request.")
def serve(
    host: str, port: str, workers: str | None, proxies: tuple[str, ...], names: tuple[str, ...], quiet: bool
) -> None:
    """Serve the web page: ask, see, roll and look up, on a phone at the table.

    It prints the address and a QR code for phones on the same network, where everybody can open it;
    --host 127.0.0.1 keeps it private. It answers to localhost, to addresses in numbers and to the names
    of this machine. Ctrl-C ends it.

    \b
    Examples:
      $ battletape serve
      $ battletape serve --host 127.0.0.1 --port 8080
      $ battletape serve --host 127.0.0.1 --proxy 127.0.0.1 --allow-host dice.example.org
    """
    from battletape.web import serve as web

    number = whole(port, "port", 1, 65_535)
    processes = whole(workers, "workers", 1, 64)
    web.serve(host, number or web.PORT, processes, quiet=quiet, proxies=proxies, names=names)
