"""The funnel: what costs least first, until a candidate is measured or has left with a reason."""
