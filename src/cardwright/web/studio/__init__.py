"""The studio's work: what is said about the text of rules, and what their random play shows."""
