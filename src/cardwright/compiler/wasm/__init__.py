"""WebAssembly for modules of the IR, and hosts that run it."""
