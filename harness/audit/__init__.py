"""Which bugs would our tests miss? Mutants of the reference, graded like submissions."""
