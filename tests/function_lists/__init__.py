"""Makes the lists of functions of `ai/sql/functions` from the engines' own catalogues."""
