"""Runs untrusted Python source in a process that can only answer requests.

`levels` finds out how strong a sandbox this machine can build; `sandbox` builds one and sends it
requests. The code that runs inside, `child` and `confine`, is self-contained: it is sent there as
code and imports nothing from this package.
"""
