"""Git's credentials: asked of the server for each operation, kept in this process's memory alone.

git ─▶ client.py ─▶ the socket of door.py ─▶ broker.py ─▶ asking.py ─▶ the server
"""
