"""Which bugs our tests would miss: mutants of the reference, graded like submissions."""
