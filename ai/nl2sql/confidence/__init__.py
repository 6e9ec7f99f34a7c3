"""How sure a reading is: features of how it was made, weighed by what was learned from questions with known answers."""
