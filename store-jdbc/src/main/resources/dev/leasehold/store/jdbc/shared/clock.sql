SELECT @{now}
