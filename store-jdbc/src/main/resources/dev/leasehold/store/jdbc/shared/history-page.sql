@{page-end table=leasehold_past_grant place="r.bucket, r.key, '', '', r.token, r.followed_at"
  key="r.bucket, r.key, r.token" after="?, ?, ?"}
