-- Tables are guarded on PostgreSQL and SQLite only: a trigger here could not lock as a guard must.
SELECT 1;
