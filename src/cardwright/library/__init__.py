"""The games that come with the package: their rules, and facts about them."""
