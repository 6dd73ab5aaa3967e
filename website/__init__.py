"""The documentation site: its configuration, and what is made for it when it is built."""
