"""The local site of ``graphgame serve``: its answers, the child processes that work them out, and its own two pages."""
