"""Work that is cut into tasks: played by executors, kept in folders, gone on with after a crash."""
