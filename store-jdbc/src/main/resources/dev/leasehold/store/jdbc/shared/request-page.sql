@{page-end table=leasehold_request place="r.bucket, r.key, '', r.request_id, 0"
  key="r.bucket, r.key, r.request_id" after="?, ?, ?"}
