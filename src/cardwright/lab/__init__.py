"""The strategy lab: experiments on what decides a game, with common deals and honest intervals."""
