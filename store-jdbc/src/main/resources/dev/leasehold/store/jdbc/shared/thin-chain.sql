DELETE FROM leasehold_chain WHERE height > ? AND height < ? AND height % 256 <> 0
