"""Common vocabulary of role-playing games: systems and their registry, ledgers of rules, rule options."""
