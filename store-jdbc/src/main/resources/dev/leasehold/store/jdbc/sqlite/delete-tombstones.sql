DELETE FROM leasehold_object
 WHERE deed = 2
   AND (type, id, version) IN (SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2
                                 FROM json_each(?) j)
