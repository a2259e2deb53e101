@{page-end table=leasehold_lease place="r.bucket, r.key, '', '', 0"
  key="r.bucket, r.key" after="?, ?"}
