-- Changes nothing, but has the write lock from here on: a transaction that began by reading would
-- fail at its first write if another one had written meanwhile.
UPDATE leasehold_mark SET token = token WHERE 0
