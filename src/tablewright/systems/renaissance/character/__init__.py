"""Characters: the record, its gear and every derived figure."""
