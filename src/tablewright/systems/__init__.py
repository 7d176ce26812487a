"""The rule books: one package each, with the same rooms; none knows another."""
