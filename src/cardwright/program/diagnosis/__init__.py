"""What is said of a wrong program: what was probably meant, in full sentences, with the edits."""
