"""HTTP and WebSocket over the table and the lab: everything under ``/v1``, described by an OpenAPI document.

``make_app(store, settings)`` gives the application; ``tablewright serve`` runs it. Nothing slow happens on the event
loop: what concerns a campaign runs in threads (it waits for the disk), odds and advice in processes of their own.
"""
