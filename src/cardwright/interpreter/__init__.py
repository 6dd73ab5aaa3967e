"""The reference engine: the meaning of a program, in plain Python.

The meaning of a form is a function of the world. The modules follow the language reference page by
page: integers, strings, conditions, owners, cards, locations, collections, actions, steps, options,
and the machine that runs stages.
"""
