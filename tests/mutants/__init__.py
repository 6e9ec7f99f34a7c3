"""Changes the product in small ways, and sees whether the tests notice."""
