SELECT @{now}, s.incarnation FROM leasehold_store s
