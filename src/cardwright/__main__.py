"""`python -m cardwright`: the command line."""

from cardwright.interfaces.cli import main

if __name__ == "__main__":
    main()
