"""The games that come with the package: their rules, facts about them, recorded playthroughs."""
