"""The native engine: programs and kernels, lowered to one IR and from there to machine code."""
