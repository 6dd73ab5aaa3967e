"""The reference engine: the meaning of a program, in plain Python.

The meaning of a form is a function of the world. The modules follow the language reference: values
(integers, strings, conditions, owners), cards (with locations and collections), actions, steps and
options, and the machine that runs stages.
"""
