"""From a typed program to IR, form by form; the modules are named like the interpreter's."""
