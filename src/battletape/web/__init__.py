"""The web page and the JSON API: every registered ruleset, with no code for any of them.

A request comes in at `app` (routes of `pages/` and `api/`), becomes a `Job`, and is worked out by a worker process of
the `worker_pool`, so the event loop only passes texts on. What to show lives in `battletape.views`.

    app, serve        the application; `battletape serve`
    security, limits  headers and policies; sizes, budgets and the log of requests
    http_connections  connections, slow or too many of them
    clients, hosts    the client of a request, behind a proxy too; the names that the server answers to
    resources         limits that fit the machine
    error_log         a log that no request waits for
    jobs              Job and Reply: work of a worker, by name; errors as sentences
    worker_pool, worker_lanes, worker  the worker processes and the lanes in front of them
    fair_queue        the client whose job is done next
    forms             the query string of an address, and back
    charts            a distribution as shapes of an SVG
    pages/, api/      one module for each flow: its routes, and its jobs
    rendering         templates/ and static/
"""
