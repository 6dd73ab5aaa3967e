"""Runs Python source that nobody trusts, in a process that can do nothing but answer.

`levels` says how strong a jail this machine can build, `sandbox` builds one and asks. What runs
inside, `child` and `confine`, stands alone: it is sent there as code and imports nothing of ours.
"""
