-- There is no pause to be bounded here: whoever is in the way of a transaction can abort it.
SELECT CAST(? AS text)
  FROM leasehold_mark
 WHERE @{stands-at}
   FOR SHARE OF leasehold_mark
