"""How sure a reading is: features of how it was made, weighed as questions with known answers taught."""
