"""The words any role-playing game shares: systems and their registry, ledgers of rules, options."""
