"""What papers need of figures: files, captions, plotted points, words."""
