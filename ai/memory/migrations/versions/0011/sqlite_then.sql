CREATE UNIQUE INDEX ix_state_number ON state (number);

CREATE TRIGGER state_says_the_same BEFORE UPDATE OF said, number ON state
BEGIN
  SELECT RAISE(ABORT, 'States are immutable: save a new one under another name.');
END;
