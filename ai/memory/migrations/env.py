"""Runs the migrations on the connection it is handed."""

from alembic import context

from ai.memory.log.database import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
