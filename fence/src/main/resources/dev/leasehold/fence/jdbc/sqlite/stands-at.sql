target = ? AND key = ? AND token = ? AND NOT above
   AND coalesce((SELECT c.token FROM leasehold_mark_coming c
                  WHERE c.target = leasehold_mark.target AND c.key = leasehold_mark.key), 0)
       <= leasehold_mark.token
