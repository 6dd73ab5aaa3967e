"""Work that is cut into tasks: played by executors, kept in folders, resumed after a crash."""
