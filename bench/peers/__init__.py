"""Random games a second of other programs, each measured in a process of its own.

From the folder `bench`: `python -m peers.compare` runs all and prints a table. The other programs
may be installed in another environment (`pip install -r peers/requirements.txt`), whose Python
`--python` names; what is not installed is skipped.
"""
