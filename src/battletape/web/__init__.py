"""The web page and the JSON API: every registered ruleset, with no code for any of them.

A request comes in at `app` (routes of `pages/` and `api/`), becomes a `Job`, and is worked out by a worker process of
the `crew`, so the event loop only passes texts on. What to show lives in `battletape.views`.

    app, serve        the application; `battletape serve`
    security, limits  headers and policies; sizes, budgets and the log of requests
    wire, callers     connections, slow or too many of them; who asks, behind a proxy too
    machine, logbook  limits that fit the machine; a log that nobody has to wait for
    jobs              Job and Reply; what a worker does by name; errors as sentences
    crew, worker      the worker processes and the lanes in front of them
    fair_queue        whose job is done next
    forms             the query string of an address, and back
    charts            a distribution as shapes of an SVG
    pages/, api/      one module for each flow: its routes, and its jobs
    rendering         templates/ and static/
"""
