"""The language: kinds, the table of forms, the checker, and the closed typed program it makes."""
