@{page-end table=leasehold_object_deed place="r.bucket, r.type, r.id, r.request_id, 0"
  key="r.bucket, r.type, r.id, r.request_id" after="?, ?, ?, ?"}
