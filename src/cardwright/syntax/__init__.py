"""Text and its shape: sources, diagnostics, the reader and the formatter.

Nothing in this package knows what a word of the language means: it turns text into bracketed forms
that keep their places, and says where brackets and characters are wrong.
"""
