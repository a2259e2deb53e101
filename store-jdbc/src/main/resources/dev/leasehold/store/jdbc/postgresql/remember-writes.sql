INSERT INTO leasehold_object_deed (bucket, type, id, request_id, version, deed, at)
SELECT *
  FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::smallint[],
              ?::bigint[])
ON CONFLICT DO NOTHING
