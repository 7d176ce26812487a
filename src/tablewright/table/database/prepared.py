"""Statements rendered once for each kind of database and then run as text.

Rendering a statement and checking its values takes longer than running it, and every act needs the same few.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, Engine
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

Values = Mapping[str, Any]


class Prepared:
    """A statement whose values are plain text and numbers, given by name."""

    def __init__(self, statement: ClauseElement, *names: str) -> None:
        self._statement = statement
        self._names = list(names) or None
        """Columns of an insert, or None for all."""
        self._rendered: dict[str, tuple[str, tuple[str, ...] | None]] = {}

    def rendered_for(self, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
        """Text of the statement, and the order of its values if the driver takes them by place."""
        found = self._rendered.get(dialect.name)
        if found is None:
            compiled: Any = self._statement.compile(dialect=dialect, column_keys=self._names)
            order = tuple(compiled.positiontup) if compiled.positional else None
            found = self._rendered[dialect.name] = (str(compiled), order)
        return found

    def run(self, connection: Connection, *values: Values) -> CursorResult[Any]:
        """Run the statement in a transaction, once for each set of values."""
        text, order = self.rendered_for(connection.dialect)
        given: Any = [tuple([value[name] for name in order]) for value in values] if order is not None else list(values)
        return connection.exec_driver_sql(text, given[0] if len(given) == 1 else given)

    def read(self, engine: Engine, values: Values) -> Sequence[Any]:
        """Rows of a query in a transaction of its own, straight from the driver."""
        text, order = self.rendered_for(engine.dialect)
        given: Any = values if order is None else tuple([values[name] for name in order])
        is_server = engine.dialect.name == "postgresql"
        pooled = engine.raw_connection()
        driver: Any = pooled.driver_connection
        try:
            if is_server:
                driver.autocommit = True  # spares the round trips of BEGIN and COMMIT
            rows: Sequence[Any] = driver.execute(text, given).fetchall()
            if is_server:
                driver.autocommit = False
        except engine.dialect.loaded_dbapi.Error as error:
            pooled.invalidate(error)
            raise _wrapped(error, text, engine.dialect) from error
        finally:
            pooled.close()
        return rows


def run_all(connection: Connection, work: Sequence[tuple[Prepared, Sequence[Values]]]) -> list[int]:
    """Run some statements in a transaction, each for several sets of values; return the numbers of rows they changed.

    They go to a database server together: it answers all of them at once instead of one after the other.
    """
    if connection.dialect.name != "postgresql":
        return [prepared.run(connection, *values).rowcount for prepared, values in work]
    driver: Any = connection.connection.driver_connection
    cursors: list[Any] = []
    try:
        with driver.pipeline():
            for prepared, values in work:
                cursors.append(driver.cursor())
                cursors[-1].executemany(prepared.rendered_for(connection.dialect)[0], values)
        return [cursor.rowcount for cursor in cursors]
    except connection.dialect.loaded_dbapi.Error as error:
        if connection.dialect.is_disconnect(error, driver, None):
            connection.invalidate(error)
        raise _wrapped(error, "", connection.dialect) from error


def _wrapped(error: Exception, text: str, dialect: Dialect) -> DBAPIError:
    """An error of a driver as SQLAlchemy raises it, without the values."""
    made = DBAPIError.instance(text, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect)
    assert isinstance(made, DBAPIError)
    return made
