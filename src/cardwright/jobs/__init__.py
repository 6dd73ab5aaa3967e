"""Work that is cut into units: played by executors, kept in folders, gone on with after a crash."""
