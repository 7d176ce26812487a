"""Characters: what they are, every figure that follows, how they are made, whether they are legal, their sheet."""
