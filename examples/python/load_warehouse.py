"""Loads what `laurel export outcomes` or `laurel export events` printed into a table, each id once, however often it comes.

    python3 load_warehouse.py warehouse.db outcomes outcomes-*.ndjson

SQLite stands for the warehouse; the statements are the same in Postgres.
"""

import json
import sqlite3
import sys

CREATE = """
create table if not exists {table} (
  id text primary key,
  type text not null,
  timestamp text not null,
  user_id text,
  body text not null
)"""
INSERT = "insert into {table} values (?, ?, ?, ?, ?) on conflict (id) do nothing"


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            # An export that was killed may end in the middle of a line; the next one repeats it.
            if line.endswith("\n"):
                item = json.loads(line)
                user = item["user"]["id"] if "user" in item else item.get("userId")
                yield item["id"], item["type"], item["timestamp"], user, line


def main(database, table, *paths):
    if table not in ("outcomes", "events"):
        sys.exit("the second argument is outcomes or events")
    warehouse = sqlite3.connect(database)
    for path in paths:
        # A file is one transaction: all of it or nothing.
        with warehouse:
            warehouse.execute(CREATE.format(table=table))
            warehouse.executemany(INSERT.format(table=table), rows_of(path))
    for kind, count in warehouse.execute(f"select type, count(*) from {table} group by type order by type"):
        print(f"{kind} {count}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
