"""HTTP and WebSocket server for the table and the lab: everything under ``/v1``, described by an OpenAPI document.

``make_app(store, settings)`` creates the application; ``tablewright serve`` runs it. Slow work never runs on the event
loop. Work on a campaign waits for the disk and runs in threads; odds and advice run in worker processes.
"""
