DELETE FROM leasehold_chain WHERE height < ?
