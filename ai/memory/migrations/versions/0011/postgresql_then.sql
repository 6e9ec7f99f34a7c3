CREATE UNIQUE INDEX ix_state_number ON state (number);

ALTER TABLE state ADD COLUMN searched tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig,
  regexp_replace(translate(left(said, 200000),
  'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž', 'AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyyAaAaAaCcCcCcCcDdEeEeEeEeEeGgGgGgGgHhIiIiIiIiIJjKkLlLlLlNnNnNnOoOoOoRrRrRrSsSsSsSsTtTtUuUuUuUuUuUuWwYyYZzZzZz'), '[[:punct:][:space:]]+', ' ', 'g'))) STORED;

CREATE INDEX state_searched ON state USING gin (searched);

ALTER TABLE trace ADD COLUMN searched tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig,
  regexp_replace(translate(left(said, 200000),
  'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž', 'AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyyAaAaAaCcCcCcCcDdEeEeEeEeEeGgGgGgGgHhIiIiIiIiIJjKkLlLlLlNnNnNnOoOoOoRrRrRrSsSsSsSsTtTtUuUuUuUuUuUuWwYyYZzZzZz'), '[[:punct:][:space:]]+', ' ', 'g'))) STORED;

CREATE INDEX trace_searched ON trace USING gin (searched);

CREATE OR REPLACE FUNCTION state_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN IF EXISTS (SELECT 1 FROM erasure) THEN RETURN OLD;
END IF;
  ELSIF to_jsonb(NEW) - 'is_archived' - 'searched' = to_jsonb(OLD) - 'is_archived' - 'searched' THEN RETURN NEW;
END IF;
  RAISE EXCEPTION 'States are immutable: save a new one under another name.' USING ERRCODE =
    'integrity_constraint_violation';
END $$;

ALTER TABLE state ENABLE TRIGGER state_is_immutable;
