INSERT INTO leasehold_change (at, changes) SELECT @{now}, t.text FROM unnest(?::text[]) AS t (text)
