"""The server of tables in the browser: pages, the interface behind them, and who sees what."""
