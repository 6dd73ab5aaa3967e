"""What papers need of figures and tables: files, captions, plotted points, words, LaTeX."""
